import type { ApiWorld } from "#api/kit/world";
import { requireReachedServer } from "#api/presenters/reached-server";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";

/** The user, and a server that they reach. */
export async function findEnds(
  db: MainDb,
  world: Pick<ApiWorld, "snapshots">,
  { email, mcp }: { readonly email: string; readonly mcp: string },
): Promise<{ user: UserRow; server: McpServerRow }> {
  const user = await findUser(db, email);
  if (!user) throw notFound.user(email);
  return { user, server: await requireReachedServer(db, world, user.id, mcp) };
}
