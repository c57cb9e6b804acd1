import { fold } from "#lib/fold";
import { firstFreeAttempt, LONG_SLUG_MAX_LENGTH, slugCandidate } from "#lib/slug";
import { toolkitLinks } from "#records/groups";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";
import type { ToolkitRow } from "#storage/toolkit-tables";
import type { WriteTrail } from "#storage/transaction";
import { namedServers, storeNamedServers } from "./servers.ts";

export interface ToolkitFilter {
  readonly status?: ToolkitRow["status"] | undefined;
  /** Part of the slug, the name or the description. */
  readonly search?: string | undefined;
  /** The slug of a server that an entry names. */
  readonly server?: string | undefined;
  readonly groupId?: string | undefined;
  /** Null: toolkits of the organization. Undefined: all. */
  readonly ownerId?: string | null | undefined;
}

/** Folded slug, name and description, for `search`. */
export function toolkitSearchText({ slug, name, description }: Pick<ToolkitRow, "slug" | "name" | "description">) {
  return `${fold(name)}\n${slug}\n${fold(description)}`;
}

function filtered(db: MainDb, { status, search, server, groupId, ownerId }: ToolkitFilter) {
  let query = db.selectFrom("toolkits");
  if (status !== undefined) query = query.where("status", "=", status);
  if (search !== undefined) query = query.where(contains("search_text", search));
  if (server !== undefined) {
    query = query.where("id", "in", (from) =>
      from.selectFrom("toolkit_servers").select("toolkit_id").where("server_slug", "=", server),
    );
  }
  if (groupId !== undefined) {
    query = query.where("id", "in", (from) =>
      from.selectFrom("group_toolkits").select("toolkit_id").where("group_id", "=", groupId),
    );
  }
  if (ownerId === null) query = query.where("owner_id", "is", null);
  else if (ownerId !== undefined) query = query.where("owner_id", "=", ownerId);
  return query;
}

export async function listToolkits(
  db: MainDb,
  filter: ToolkitFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ToolkitRow[]> {
  return filtered(db, filter).selectAll().orderBy("created_at").orderBy("id").offset(offset).limit(limit).execute();
}

export async function countToolkits(db: MainDb, filter: ToolkitFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findToolkit(db: MainDb, slug: string): Promise<ToolkitRow | undefined> {
  return db.selectFrom("toolkits").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function lockToolkit(tx: MainTransaction, slug: string): Promise<ToolkitRow | undefined> {
  return lockRows(tx, tx.selectFrom("toolkits").selectAll().where("slug", "=", slug)).executeTakeFirst();
}

export async function findToolkitsBySlug(db: MainDb, slugs: readonly string[]): Promise<ToolkitRow[]> {
  if (slugs.length === 0) return [];
  return db.selectFrom("toolkits").selectAll().where("slug", "in", idList(db, slugs)).execute();
}

/** The active toolkits that the user can select at the gateway, by slug: those of the user's groups, and their own. */
export async function toolkitsOfUser(db: MainDb, userId: string): Promise<ToolkitRow[]> {
  return db
    .selectFrom("toolkits")
    .selectAll()
    .where("status", "=", "active")
    .where((where) =>
      where.or([
        where("owner_id", "=", userId),
        where.and([
          where("owner_id", "is", null),
          where("id", "in", (from) =>
            from
              .selectFrom("group_toolkits")
              .innerJoin("group_users", "group_users.group_id", "group_toolkits.group_id")
              .select("group_toolkits.toolkit_id")
              .where("group_users.user_id", "=", userId),
          ),
        ]),
      ]),
    )
    .orderBy("slug")
    .execute();
}

export async function searchToolkits(
  db: MainDb,
  terms: SearchTerms,
  limit: number,
): Promise<Pick<ToolkitRow, "slug" | "name" | "status">[]> {
  return db
    .selectFrom("toolkits")
    .select(["slug", "name", "status"])
    .where(containsAll("search_text", terms))
    .orderBy(matchRank(terms, { names: ["search_text"] }))
    .orderBy("slug")
    .limit(limit)
    .execute();
}

/** Inserts under the wanted slug or the first free one after it. Returns the slug. */
export async function insertToolkit(tx: MainTransaction, trail: WriteTrail, row: ToolkitRow): Promise<string> {
  let attempt = firstFreeAttempt(row.slug, await takenSlugs(tx, row.slug), LONG_SLUG_MAX_LENGTH);
  for (;;) {
    const slug = slugCandidate(row.slug, attempt, LONG_SLUG_MAX_LENGTH);
    const named = { ...row, slug, search_text: toolkitSearchText({ ...row, slug }) };
    // A constraint error would abort a Postgres transaction.
    const inserted = await tx
      .insertInto("toolkits")
      .values(named)
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) break;
    attempt++;
  }
  await storeNamedServers(tx, row.id, namedServers(row));
  trail.changed("toolkit", row.id);
  return slugCandidate(row.slug, attempt, LONG_SLUG_MAX_LENGTH);
}

async function takenSlugs(tx: MainTransaction, wanted: string): Promise<Set<string>> {
  // A suffix can shorten the wanted slug, so this reads all slugs with the same first letters.
  const rows = await tx
    .selectFrom("toolkits")
    .select("slug")
    .where((where) => where.or([where("slug", "=", wanted), where("slug", "like", `${wanted.slice(0, 50)}%`)]))
    .execute();
  return new Set(rows.map((row) => row.slug));
}

/** The slug stays: URLs, bound machine users and logs name the toolkit by it. */
export type ToolkitChanges = Partial<Omit<ToolkitRow, "id" | "slug" | "search_text" | "created_at">>;

/** `before` is the locked row. Returns the row after the changes. */
export async function updateToolkit(
  tx: MainTransaction,
  trail: WriteTrail,
  before: ToolkitRow,
  changes: ToolkitChanges,
): Promise<ToolkitRow> {
  const after = { ...before, ...changes };
  after.search_text = toolkitSearchText(after);
  const { id, slug, created_at, ...columns } = after;
  await tx.updateTable("toolkits").set(columns).where("id", "=", id).execute();
  if (changes.tools ?? changes.prompts ?? changes.resources) await storeNamedServers(tx, id, namedServers(after));
  trail.changed("toolkit", id);
  return after;
}

/** Also deletes its links. Machine users that are bound to it stay bound, and have no access. */
export async function deleteToolkit(tx: MainTransaction, trail: WriteTrail, id: string): Promise<void> {
  await tx.deleteFrom("toolkits").where("id", "=", id).execute();
  trail.changed("toolkit", id);
}

/** Before a user is deleted with all own toolkits. */
export async function noteToolkitsOfDeletedUser(tx: MainTransaction, trail: WriteTrail, userId: string): Promise<void> {
  const own = await tx.selectFrom("toolkits").select("id").where("owner_id", "=", userId).execute();
  trail.changed("toolkit", ...own.map(({ id }) => id));
}

/** Replaces the groups of a toolkit. */
export async function setToolkitGroups(
  tx: MainTransaction,
  trail: WriteTrail,
  toolkitId: string,
  groupIds: readonly string[],
): Promise<void> {
  const before = (await toolkitLinks.groupsOf(tx, [toolkitId])).get(toolkitId) ?? [];
  for (const groupId of before) {
    if (!groupIds.includes(groupId)) await toolkitLinks.remove(tx, trail, { groupId, memberId: toolkitId });
  }
  const added = groupIds.filter((groupId) => !before.includes(groupId));
  await toolkitLinks.add(
    tx,
    trail,
    [...new Set(added)].map((groupId) => ({ groupId, memberId: toolkitId })),
  );
}

/** Emails of the machine users that are bound to the toolkit, at most `limit`. */
export async function usersBoundTo(db: MainDb, slug: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("users")
    .select("email")
    .where("toolkit", "=", slug)
    .orderBy("email_key")
    .limit(limit)
    .execute();
  return rows.map(({ email }) => email);
}
