import { invalid } from "#lib/errors";
import { fold } from "#lib/fold";
import { firstFreeAttempt, LONG_SLUG_MAX_LENGTH, slugCandidate } from "#lib/slug";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import type { GuardRow } from "#storage/guard-tables";
import { lockRows } from "#storage/lock-rows";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";
import type { WriteTrail } from "#storage/transaction";

/** Every process compiles all enabled guards, and a call can be covered by all of them. */
export const MOST_GUARDS = 500;

/** Paths below `/api/guards/`. */
const RESERVED_SLUGS = ["check-types", "evaluate", "approvals", "dry-run"];

export interface GuardFilter {
  readonly type?: GuardRow["type"] | undefined;
  readonly enabled?: boolean | undefined;
  /** Part of the slug, the name or the description. */
  readonly search?: string | undefined;
}

/** Folded name, slug and description, for `search`. */
export function guardSearchText({ slug, name, description }: Pick<GuardRow, "slug" | "name" | "description">) {
  return `${fold(name)}\n${slug}\n${fold(description)}`;
}

function filtered(db: MainDb, { type, enabled, search }: GuardFilter) {
  let query = db.selectFrom("guards");
  if (type !== undefined) query = query.where("type", "=", type);
  if (enabled !== undefined) query = query.where("enabled", "=", enabled);
  if (search !== undefined) query = query.where(contains("search_text", search));
  return query;
}

export async function listGuards(
  db: MainDb,
  filter: GuardFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<GuardRow[]> {
  return filtered(db, filter).selectAll().orderBy("created_at").orderBy("id").offset(offset).limit(limit).execute();
}

/** Best match first. */
export async function searchGuards(
  db: MainDb,
  terms: SearchTerms,
  limit: number,
): Promise<Pick<GuardRow, "slug" | "name" | "enabled">[]> {
  return db
    .selectFrom("guards")
    .select(["slug", "name", "enabled"])
    .where(containsAll("search_text", terms))
    .orderBy(matchRank(terms, { nameFirst: ["search_text"] }))
    .orderBy("slug")
    .limit(limit)
    .execute();
}

export async function countGuards(db: MainDb, filter: GuardFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(n);
}

export async function findGuard(db: MainDb, slug: string): Promise<GuardRow | undefined> {
  return db.selectFrom("guards").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function findGuardById(db: MainDb, id: string): Promise<GuardRow | undefined> {
  return db.selectFrom("guards").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function lockGuard(tx: MainTransaction, slug: string): Promise<GuardRow | undefined> {
  return lockRows(tx, tx.selectFrom("guards").selectAll().where("slug", "=", slug)).executeTakeFirst();
}

/** Inserts a guard of admins under the wanted slug or the first free one after it. Returns the slug. */
export async function insertGuard(tx: MainTransaction, trail: WriteTrail, row: GuardRow): Promise<string> {
  // Concurrent creations wait for each other, so that none exceeds the limit.
  await lockRows(tx, tx.selectFrom("change_counter").selectAll().where("id", "=", 1)).execute();
  if ((await countGuards(tx, {})) >= MOST_GUARDS) {
    throw invalid("name", `there are ${MOST_GUARDS} guards; delete one first`);
  }
  return insertAs(tx, trail, row);
}

/** Also for built-in guards, which do not count toward the limit. */
export async function insertAs(tx: MainTransaction, trail: WriteTrail, row: GuardRow): Promise<string> {
  let attempt = firstFreeAttempt(row.slug, await takenSlugs(tx, row.slug), LONG_SLUG_MAX_LENGTH);
  for (;;) {
    const slug = slugCandidate(row.slug, attempt, LONG_SLUG_MAX_LENGTH);
    // A constraint error would abort a Postgres transaction.
    const inserted = await tx
      .insertInto("guards")
      .values({ ...row, slug, search_text: guardSearchText({ ...row, slug }) })
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) {
      trail.changed("guard", row.id);
      return slug;
    }
    attempt++;
  }
}

async function takenSlugs(tx: MainTransaction, wanted: string): Promise<Set<string>> {
  // A suffix can shorten the wanted slug, so this reads all slugs with the same first letters.
  const rows = await tx
    .selectFrom("guards")
    .select("slug")
    .where((where) => where.or([where("slug", "=", wanted), where("slug", "like", `${wanted.slice(0, 50)}%`)]))
    .execute();
  return new Set([...RESERVED_SLUGS, ...rows.map((row) => row.slug)]);
}

/** The slug and the type stay: logs name the guard by its slug. */
export type GuardChanges = Partial<
  Omit<GuardRow, "id" | "builtin_key" | "slug" | "type" | "search_text" | "created_at">
>;

/** `before` is the locked row. Returns the row after the changes. */
export async function updateGuard(
  tx: MainTransaction,
  trail: WriteTrail,
  before: GuardRow,
  changes: GuardChanges,
): Promise<GuardRow> {
  const after = { ...before, ...changes };
  after.search_text = guardSearchText(after);
  const { id, builtin_key, slug, type, created_at, ...columns } = after;
  await tx.updateTable("guards").set(columns).where("id", "=", id).execute();
  trail.changed("guard", id);
  return after;
}

export async function deleteGuard(tx: MainTransaction, trail: WriteTrail, id: string): Promise<void> {
  await tx.deleteFrom("guards").where("id", "=", id).execute();
  trail.changed("guard", id);
}
