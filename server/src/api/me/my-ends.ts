import type { ApiContext } from "#api/kit/api-context";
import { targetParameter, textParameter } from "#api/kit/parameters";
import { personOf, type Visitor } from "#api/kit/web-session";
import { requireReachedServer } from "#api/presenters/reached-server";
import { notFound } from "#lib/errors";
import { findUser, ownedUserIds } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { UserRow } from "#storage/user-tables";

export const FOR = textParameter("A machine user that the caller owns, by e-mail; left out: the caller");
export const MY_ENDS = { mcp: targetParameter("The server's slug", "github"), for: FOR };

/** Somebody else's machine user is as unknown as one that never was (AZ-3). */
export async function subjectOf(db: MainDb, visitor: Visitor | undefined, email: string | undefined): Promise<UserRow> {
  const person = personOf(visitor);
  const user = await findUser(db, email ?? person.user.email);
  const isTheirs = user && (user.id === person.user.id || (await ownedUserIds(db, person.user.id)).includes(user.id));
  if (!isTheirs) throw notFound.user(email ?? person.user.email);
  return user;
}

export async function findMyEnds(
  db: MainDb,
  context: Pick<ApiContext, "snapshots">,
  visitor: Visitor | undefined,
  query: { readonly mcp: string; readonly for: string | undefined },
): Promise<{ user: UserRow; server: McpServerRow }> {
  const user = await subjectOf(db, visitor, query.for);
  return { user, server: await requireReachedServer(db, context, user.id, query.mcp) };
}
