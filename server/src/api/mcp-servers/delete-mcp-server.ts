import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { invalid, notFound } from "#lib/errors";
import { deleteServer, lockServer } from "#records/mcp-servers";
import { endGrantsOfServer } from "#records/oauth-grants";

import { presentForAudit } from "./present-settings.ts";

/** Spec 4.1: also deletes tools, group links, users' credentials, and consent for it, so that a new server with this slug inherits nothing (AZ-7). */
export const deleteMcpServer = write({
  id: "deleteMcpServer",
  route: "DELETE /api/mcp-servers",
  tag: "MCP Servers",
  summary: "Delete an MCP server",
  description:
    "Permanently deletes the server, its tools, its group assignments, its users' connections, and the consent for MCP clients that use only this server.",
  scope: "admin:write",
  query: { slug: targetParameter("The server's slug", "github") },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete MCP server",
  async run({ tx, trail, query }) {
    const row = await lockServer(tx, query.slug);
    if (!row) throw notFound.mcpServer();
    // D3: the next start would create it again.
    if (row.is_local && row.upstream_url !== null) {
      throw invalid("slug", "the server comes from the operator's LOCAL_SERVERS_FILE and must be removed there first");
    }
    const disconnected = await endGrantsOfServer({ tx, trail }, row.id);
    await deleteServer(tx, trail, row.id);
    trail.audit({
      operation: "deleteMcpServer",
      target: { kind: "mcp-server", id: row.id, name: row.slug },
      before: { ...presentForAudit(row), ...(disconnected > 0 ? { clients_disconnected: disconnected } : {}) },
    });
    return { status: 200, body: { message: "MCP server deleted successfully" } };
  },
});
