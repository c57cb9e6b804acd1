import type { ApiContext } from "#api/kit/api-context";
import { requireReachedServer } from "#api/presenters/reached-server";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";

/** The user, and a server that the user can access. */
export async function findUserAndServer(
  db: MainDb,
  context: Pick<ApiContext, "snapshots">,
  { email, mcp }: { readonly email: string; readonly mcp: string },
): Promise<{ user: UserRow; server: McpServerRow }> {
  const user = await findUser(db, email);
  if (!user) throw notFound.user(email);
  return { user, server: await requireReachedServer(db, context, user.id, mcp) };
}
