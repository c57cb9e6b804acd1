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
import { presentToolkits, Toolkit, ToolkitToolEntry } from "#api/presenters/toolkit";
import { findGroup } from "#records/groups";
import { countToolkits, listToolkits as listRows, type ToolkitFilter } from "#records/toolkits";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";

const KNOWN: KnownFields = {
  ...{ id: true, slug: true, name: true, description: true, instructions: true, status: true, least_privilege: true },
  ...{ groups: true, owner_email: true, tools_count: true, created_at: true, updated_at: true },
  tools: { server: true, tool: true, alias: true, title: true, description: true, arguments: true },
  prompts: { server: true, name: true },
  resources: { server: true, uri: true },
  skills: true,
  commands: true,
  broken_tools: { server: true, tool: true, reason: true },
};
const { prompts, resources, broken_tools } = Toolkit.shape;
/** With `fields`, an entry contains only the requested fields, at every depth. */
const ToolkitSelection = Toolkit.extend({
  tools: z.array(ToolkitToolEntry.partial()).describe("The tools, in the order in which they are shown"),
  prompts: z.array(prompts.element.partial()).describe("The prompts"),
  resources: z.array(resources.element.partial()).describe("The resources"),
  broken_tools: z.array(broken_tools.element.partial()).describe("Entries without effect"),
})
  .partial()
  .meta({ id: "ToolkitSelection", description: "A toolkit; with `fields`, only the named fields" });

/** Families 2. */
export const listToolkits = read({
  id: "listToolkits",
  route: "GET /api/toolkits",
  tag: "Toolkits",
  summary: "List toolkits",
  description: "Oldest first, with those of users. With `fields`, entries contain only the named fields.",
  scope: "admin:read",
  headers: { "x-service-group": textParameter("Only toolkits of this group. Group name, case-insensitive") },
  query: {
    status: choiceParameter("Only toolkits with this status", ["active", "draft"]),
    search: searchParameter("Only toolkits whose slug, name or description contains this text, case-insensitive"),
    server: searchParameter("Only toolkits with entries of this server, by slug"),
    owner: textParameter("Only toolkits of this user, by email. `none`: only toolkits of the organization"),
    fields: textParameter("Comma-separated fields; nested ones in parentheses, such as tools(server,tool)"),
    cursor: offsetParameter("Zero-based offset of the first entry"),
    limit: limitParameter,
    includeTotal: flagParameter("Adds totalCount"),
  },
  answers: {
    200: z.object({
      data: z.array(ToolkitSelection),
      pagination: CursorPagination,
      totalCount: totalCount.optional(),
    }),
  },
  refusals: [400],
  onCrash: "Failed to retrieve toolkits",
  async run({ db, query, headers }) {
    const { cursor, limit } = query;
    const tree = query.fields ? readFields(query.fields, KNOWN) : undefined;
    const filter = await filterOf(db, query, headers["x-service-group"]);
    const rows = filter ? await listRows(db, filter, { offset: cursor, limit: limit + 1 }) : [];
    const { page, hasMore } = pageOf(rows, limit);
    const toolkits = await presentToolkits(db, page);
    const data = tree ? toolkits.map((toolkit) => selectFields(toolkit, tree)) : toolkits;
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    const total = query.includeTotal ? { totalCount: filter ? await countToolkits(db, filter) : 0 } : {};
    return { status: 200, body: { data, pagination, ...total } };
  },
});

interface Query {
  readonly status?: ToolkitFilter["status"];
  readonly search?: string | undefined;
  readonly server?: string | undefined;
  readonly owner?: string | undefined;
}

/** Undefined if the group or the user does not exist; the list is then empty. */
async function filterOf(
  db: MainDb,
  { status, search, server, owner }: Query,
  groupName: string | undefined,
): Promise<ToolkitFilter | undefined> {
  const group = groupName === undefined ? undefined : await findGroup(db, groupName);
  if (groupName !== undefined && !group) return undefined;
  const user = owner === undefined || owner === "none" ? undefined : await findUser(db, owner);
  if (owner !== undefined && owner !== "none" && !user) return undefined;
  return { status, search, server, groupId: group?.id, ownerId: owner === "none" ? null : user?.id };
}
