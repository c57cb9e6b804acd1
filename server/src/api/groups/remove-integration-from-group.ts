import { Success } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { lockGroup, serverLinks } from "#records/groups";
import { findServer } from "#records/mcp-servers";

/** D20: succeeds for a server that is not in the group. */
export const removeIntegrationFromGroup = write({
  id: "removeIntegrationFromGroup",
  route: "DELETE /api/groups/{name}/integrations",
  tag: "Groups",
  summary: "Remove an MCP server from a group",
  description: "Succeeds if the server is not in the group.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  query: { slug: targetParameter("The server's slug", "github") },
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to remove integration from group",
  async run({ tx, trail, path, query }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const server = await findServer(tx, query.slug);
    if (!server) throw notFound.mcpServer();
    const wasLinked = await serverLinks.remove(tx, trail, { groupId: group.id, memberId: server.id });
    trail.audit({
      operation: "removeIntegrationFromGroup",
      target: { kind: "group", id: group.id, name: group.name },
      before: { slugs: wasLinked ? [server.slug] : [] },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
