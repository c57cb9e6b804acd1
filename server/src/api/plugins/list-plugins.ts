import { z } from "zod";
import { CursorPagination, pageOf, totalCount } from "#api/kit/answers";
import { type KnownFields, readFields, selectFields } from "#api/kit/fields";
import { read } from "#api/kit/operation";
import {
  choiceParameter,
  flagParameter,
  limitParameter,
  offsetParameter,
  searchParameter,
  textParameter,
} from "#api/kit/parameters";
import { findGroup } from "#records/groups";
import { countPlugins, listPlugins as listRows } from "#records/plugins";
import { presentPlugins } from "./present.ts";
import { Plugin } from "./schema.ts";

export const PLUGIN_FIELDS: KnownFields = {
  ...{ id: true, slug: true, name: true, description: true, author: true, category: true, keywords: true },
  ...{ homepage: true, license: true, skills: true, commands: true, agents: true, hooks: true, mcp: true },
  ...{ targets: true, status: true, groups: true, latest_version: true, releases_count: true },
  ...{ has_unpublished_changes: true, created_at: true, updated_at: true },
};
/** With `fields`, an entry contains only the requested fields. */
export const PluginSelection = Plugin.partial().meta({
  id: "PluginSelection",
  description: "A plugin; with `fields`, only the named fields",
});

/** Families 5. */
export const listPlugins = read({
  id: "listPlugins",
  route: "GET /api/plugins",
  tag: "Plugins",
  summary: "List plugins",
  description: "Oldest first. With `fields`, entries contain only the named fields.",
  scope: "admin:read",
  headers: { "x-service-group": textParameter("Only plugins of this group. Group name, case-insensitive") },
  query: {
    status: choiceParameter("Only plugins with this status", ["active", "draft"]),
    search: searchParameter("Only plugins whose slug, name or description contains this text, case-insensitive"),
    fields: textParameter("Comma-separated fields"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
    includeTotal: flagParameter("Adds totalCount"),
  },
  answers: {
    200: z.object({ data: z.array(PluginSelection), pagination: CursorPagination, totalCount: totalCount.optional() }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve plugins",
  async run({ db, query, headers, context }) {
    const { cursor, limit, status, search } = query;
    const tree = query.fields ? readFields(query.fields, PLUGIN_FIELDS) : undefined;
    const groupName = headers["x-service-group"];
    const group = groupName === undefined ? undefined : await findGroup(db, groupName);
    const filter = groupName !== undefined && !group ? undefined : { status, search, groupId: group?.id };
    const rows = filter ? await listRows(db, filter, { offset: cursor, limit: limit + 1 }) : [];
    const { page, hasMore } = pageOf(rows, limit);
    const plugins = await presentPlugins(db, page, context);
    const data = tree ? plugins.map((plugin) => selectFields(plugin, tree)) : plugins;
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = query.includeTotal ? { totalCount: filter ? await countPlugins(db, filter) : 0 } : {};
    return { status: 200, body: { data, pagination, ...total } };
  },
});
