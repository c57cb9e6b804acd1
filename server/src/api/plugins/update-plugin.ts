import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { knownGroupIds } from "#api/presenters/group-ids";
import { notFound } from "#lib/errors";
import { changePlugin, lockPlugin, setPluginGroups } from "#records/plugins";
import { PLUGIN_BODY_BYTES, UpdatePluginBody } from "./bodies.ts";
import { checkStatus } from "./check-status.ts";
import { presentPlugin } from "./present.ts";
import { Plugin } from "./schema.ts";

/** Families 5. */
export const updatePlugin = write({
  id: "updatePlugin",
  route: "PATCH /api/plugins",
  tag: "Plugins",
  summary: "Update a plugin",
  description:
    "Omitted fields keep their values; lists replace the whole list. Callers get the changes with the next release, except `groups` and `status`, which apply immediately. The slug never changes.",
  scope: "admin:write",
  query: { slug: targetParameter("The plugin's slug", "engineering") },
  body: UpdatePluginBody,
  bodyLimitBytes: PLUGIN_BODY_BYTES,
  answers: { 200: z.object({ data: Plugin }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update plugin",
  async run({ tx, trail, query, body, context }) {
    const row = await lockPlugin(tx, query.slug);
    if (!row) throw notFound.plugin();
    checkStatus(body.status, row.status);
    const groupIds = body.groups && (await knownGroupIds(tx, body.groups));
    const before = await presentPlugin(tx, row, context);
    const after = await changePlugin(tx, row, body, context.clock.now());
    if (groupIds) await setPluginGroups(tx, trail, row.id, groupIds);
    const data = await presentPlugin(tx, after, context);
    const target = { kind: "plugin", id: row.id, name: row.slug };
    trail.audit({ operation: "updatePlugin", target, before, after: data });
    return { status: 200, body: { data } };
  },
});
