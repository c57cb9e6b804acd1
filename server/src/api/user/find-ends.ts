import type { ApiWorld } from "#api/http/world";
import { notFound } from "#lib/errors";
import { findServerById } from "#records/mcp-servers";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpServerRow, UserRow } from "#storage/tables";

/** The user and a server that they reach: one out of reach counts as one that does not exist. */
export async function findEnds(
  db: MainDb,
  { snapshots }: Pick<ApiWorld, "snapshots">,
  { email, mcp }: { readonly email: string; readonly mcp: string },
): Promise<{ user: UserRow; server: McpServerRow }> {
  const user = await findUser(db, email);
  const caller = user && snapshots.current().usersById.get(user.id);
  if (!caller) throw notFound.user(email);
  const [reached] = snapshots.viewFor(caller, { slug: mcp, prefixed: true }).servers;
  const server = reached && (await findServerById(db, reached.id));
  if (!server) throw notFound.mcpServer();
  return { user, server };
}
