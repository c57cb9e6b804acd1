import { z } from "zod";
import { write } from "#api/kit/operation";
import { forgetSealedSecrets } from "#records/credentials";
import { changeSettings } from "#records/settings";
import { Settings, UpdateSettingsBody } from "./schema.ts";
import { changeSso, presentSso } from "./sso-settings.ts";

/** D22: jobs read the settings on each run, and the gateway's limits are in its snapshot. */
export const updateSettings = write({
  id: "updateSettings",
  route: "PATCH /api/settings",
  tag: "Settings",
  summary: "Update the organization settings",
  description:
    "Omitted settings keep their value, and `null` restores the default. Changing `local_sign_in` or `sso` requires the scope `all`.",
  scope: "admin:write",
  body: UpdateSettingsBody,
  answers: { 200: z.object({ data: Settings }) },
  refusals: [400, 409],
  onCrash: "Failed to update settings",
  async run({ tx, trail, body, context, requireScope }) {
    const { sso, ...rest } = body;
    // Choosing the identity provider allows signing in as anyone (decision 0009).
    if (sso !== undefined || rest.local_sign_in !== undefined) requireScope("all");
    // Otherwise a new choice could end at a time that was meant for the previous one.
    const endless = rest.payload_capture !== undefined && rest.payload_capture_until === undefined;
    const wanted = endless ? { ...rest, payload_capture_until: null } : rest;
    const changes = await changeSettings(tx, trail, wanted, context.clock.now());
    if (!changes.after.machine_secret_reveal) await forgetSealedSecrets(tx);
    const before = { ...changes.before, sso: await presentSso(tx) };
    await changeSso(tx, context, sso, changes.after);
    const after = { ...changes.after, sso: await presentSso(tx) };
    const target = { kind: "settings", id: "organization", name: "settings" };
    trail.audit({ operation: "updateSettings", target, before, after });
    return { status: 200, body: { data: after } };
  },
});
