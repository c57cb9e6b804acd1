import { z } from "zod";
import { readFields, selectFields } from "#api/kit/fields";
import { read } from "#api/kit/operation";
import { lastSegmentParameter, textParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findPlugin } from "#records/plugins";
import { PLUGIN_FIELDS, PluginSelection } from "./list-plugins.ts";
import { presentPlugin } from "./present.ts";

/** Families 5. */
export const getPlugin = read({
  id: "getPlugin",
  route: "GET /api/plugins/{slug}",
  tag: "Plugins",
  summary: "Get one plugin",
  description: "What the next release contains. `has_unpublished_changes` says whether it differs from the latest one.",
  scope: "admin:read",
  path: { slug: lastSegmentParameter("The plugin's slug", "engineering") },
  query: { fields: textParameter("Comma-separated fields") },
  answers: { 200: z.object({ data: PluginSelection }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve plugin",
  async run({ db, path, query, context }) {
    const tree = query.fields ? readFields(query.fields, PLUGIN_FIELDS) : undefined;
    const row = await findPlugin(db, path.slug);
    if (!row) throw notFound.plugin();
    const data = await presentPlugin(db, row, context);
    return { status: 200, body: { data: tree ? selectFields(data, tree) : data } };
  },
});
