import type { ApiContext } from "#api/kit/api-context";
import { targetParameter, textParameter } from "#api/kit/parameters";
import { personOf, type Visitor } from "#api/kit/web-session";
import { requireReachedServer } from "#api/presenters/reached-server";
import { notFound } from "#lib/errors";
import { findUser, ownedUserIds } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";

export const FOR = textParameter("The email of a machine user that the caller owns. Omitted: the caller");
export const MY_SERVER = { mcp: targetParameter("The server's slug", "github"), for: FOR };

/** Returns 404 for machine users of other owners, as for unknown ones (AZ-3). */
export async function subjectOf(db: MainDb, visitor: Visitor | undefined, email: string | undefined): Promise<UserRow> {
  const person = personOf(visitor);
  const user = await findUser(db, email ?? person.user.email);
  const isAllowed = user && (user.id === person.user.id || (await ownedUserIds(db, person.user.id)).includes(user.id));
  if (!isAllowed) throw notFound.user(email ?? person.user.email);
  return user;
}

export async function findMyServer(
  db: MainDb,
  context: Pick<ApiContext, "snapshots">,
  visitor: Visitor | undefined,
  query: { readonly mcp: string; readonly for: string | undefined },
): Promise<{ user: UserRow; server: McpServerRow }> {
  const user = await subjectOf(db, visitor, query.for);
  return { user, server: await requireReachedServer(db, context, user.id, query.mcp) };
}
