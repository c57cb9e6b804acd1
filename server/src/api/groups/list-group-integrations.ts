import { z } from "zod";
import { pageOf, SkipPagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, pathParameter } from "#api/kit/parameters";
import { Grant, presentGrants } from "#api/presenters/grants";
import { notFound } from "#lib/errors";
import { findGroup, listGrants } from "#records/groups";

export const GroupIntegration = Grant.omit({ group: true, server: true, server_name: true })
  .extend({
    slug: z.string().meta({ description: "The server's slug", example: "github" }),
    name: z.string().meta({ description: "The server's name", example: "GitHub" }),
    status: z.enum(["active", "draft"]).describe("Drafts reach only members of groups that show drafts"),
  })
  .meta({ id: "GroupIntegration", description: "A server of the group, and which of its tools the group grants" });

/** F32. */
export const listGroupIntegrations = read({
  id: "listGroupIntegrations",
  route: "GET /api/groups/{name}/integrations",
  tag: "Groups",
  summary: "List the MCP servers of a group and the tools that it grants",
  description: "Ordered by slug. `tools` is null for servers of which the group grants all tools.",
  scope: "admin:read",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  query: { skip: offsetParameter("Number of entries to skip"), limit: limitParameter },
  answers: { 200: z.object({ data: z.array(GroupIntegration), pagination: SkipPagination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve integrations of group",
  async run({ db, path, query: { skip, limit } }) {
    const group = await findGroup(db, path.name);
    if (!group) throw notFound.group();
    const rows = await listGrants(db, { groupId: group.id, serverId: undefined }, { offset: skip, limit: limit + 1 });
    const { page, hasMore } = pageOf(rows, limit);
    const grants = await presentGrants(db, page);
    const data = grants.map(({ group: _group, server: slug, server_name: name, ...grant }, i) => {
      return { slug, name, status: page[i]?.server_status ?? "active", ...grant };
    });
    return { status: 200, body: { data, pagination: { skip, limit, hasMore } } };
  },
});
