import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { deleteConnection } from "#records/connections";
import { findServer } from "#records/mcp-servers";
import { findUser } from "#records/users";

export const deleteMcpServerConnection = write({
  id: "deleteMcpServerConnection",
  route: "DELETE /api/mcp-servers/{slug}/connections",
  tag: "MCP Servers",
  summary: "Disconnect a user from an MCP server",
  description:
    "Deletes the user's stored credential permanently. Also works for users who no longer have access to the server.",
  scope: "admin:write",
  path: { slug: pathParameter("The server's slug", "github") },
  query: { email: targetParameter("The user's email, case-insensitive", "ada@example.com") },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to delete connection",
  async run({ tx, trail, path, query, context, afterCommit }) {
    const server = await findServer(tx, path.slug);
    if (!server) throw notFound.mcpServer();
    const user = await findUser(tx, query.email);
    if (!user) throw notFound.user(query.email);
    const gone = await deleteConnection(tx, trail, { user, server }, "deleteMcpServerConnection");
    if (!gone) throw notFound.connection();
    afterCommit(() => context.connect.revokeSoon(gone));
    return { status: 200, body: { message: "Connection deleted successfully" } };
  },
});
