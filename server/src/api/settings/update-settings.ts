import { z } from "zod";
import { write } from "#api/http/operation";
import { forgetSealedSecrets } from "#records/credentials";
import { changeSettings } from "#records/settings";
import { Settings, UpdateSettingsBody } from "./schema.ts";

/** D22: whatever goes by a setting reads it anew, so it is obeyed from the next turn on, in every process. */
export const updateSettings = write({
  id: "updateSettings",
  route: "PATCH /api/settings",
  tag: "Settings",
  summary: "Change settings of the organization",
  description: "What is left out stays; `null` goes back to the default.",
  scope: "admin:write",
  body: UpdateSettingsBody,
  answers: { 200: z.object({ data: Settings }) },
  refusals: [400],
  onCrash: "Failed to update settings",
  async run({ tx, trail, body, world }) {
    const { before, after } = await changeSettings(tx, body, world.clock.now());
    if (!after.machine_secret_reveal) await forgetSealedSecrets(tx);
    const target = { kind: "settings", id: "organization", name: "settings" };
    trail.audit({ operation: "updateSettings", target, before, after });
    return { status: 200, body: { data: after } };
  },
});
