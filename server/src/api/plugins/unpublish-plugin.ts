import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { lockPlugin, setPluginStatus } from "#records/plugins";
import { presentPlugin } from "./present.ts";
import { Plugin } from "./schema.ts";

/** Families 5. */
export const unpublishPlugin = write({
  id: "unpublishPlugin",
  route: "POST /api/plugins/{slug}/unpublish",
  tag: "Plugins",
  summary: "Unpublish a plugin",
  description: "Makes the plugin a draft: callers cannot install or update it. Its releases stay.",
  scope: "admin:write",
  path: { slug: pathParameter("The plugin's slug", "engineering") },
  answers: { 200: z.object({ data: Plugin }) },
  refusals: [404],
  onCrash: "Failed to unpublish plugin",
  async run({ tx, trail, path, context }) {
    const row = await lockPlugin(tx, path.slug);
    if (!row) throw notFound.plugin();
    const before = await presentPlugin(tx, row, context);
    const after = await setPluginStatus(tx, row, "draft", context.clock.now());
    const data = await presentPlugin(tx, after, context);
    const target = { kind: "plugin", id: row.id, name: row.slug };
    trail.audit({ operation: "unpublishPlugin", target, before, after: data });
    return { status: 200, body: { data } };
  },
});
