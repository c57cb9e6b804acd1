import { createHash } from "node:crypto";
import { fold } from "#lib/fold";
import { firstFreeAttempt, LONG_SLUG_MAX_LENGTH, slugCandidate } from "#lib/slug";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import type { ExchangeProviderRow } from "#storage/exchange-tables";
import { lockRows } from "#storage/lock-rows";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";

export interface ProviderFilter {
  readonly enabled?: boolean | undefined;
  /** Part of the slug, the name or the issuer. */
  readonly search?: string | undefined;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

function searchText({ slug, name, issuer }: Pick<ExchangeProviderRow, "slug" | "name" | "issuer">): string {
  return `${slug}\n${fold(name)}\n${fold(issuer)}`;
}

function filtered(db: MainDb, { enabled, search }: ProviderFilter) {
  let query = db.selectFrom("exchange_providers");
  if (enabled !== undefined) query = query.where("enabled", "=", enabled);
  if (search !== undefined) query = query.where(contains("search_text", search));
  return query;
}

export async function listProviders(
  db: MainDb,
  filter: ProviderFilter,
  { offset, limit }: Page,
): Promise<ExchangeProviderRow[]> {
  return filtered(db, filter).selectAll().orderBy("created_at").orderBy("id").offset(offset).limit(limit).execute();
}

export async function countProviders(db: MainDb, filter: ProviderFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findProvider(db: MainDb, slug: string): Promise<ExchangeProviderRow | undefined> {
  return db.selectFrom("exchange_providers").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function findProviderById(db: MainDb, id: string): Promise<ExchangeProviderRow | undefined> {
  return db.selectFrom("exchange_providers").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function lockProvider(tx: MainTransaction, slug: string): Promise<ExchangeProviderRow | undefined> {
  return lockRows(tx, tx.selectFrom("exchange_providers").selectAll().where("slug", "=", slug)).executeTakeFirst();
}

/** Every exchange holds this lock, so that nothing is issued while the provider is disabled or deleted. */
export async function lockProviderById(tx: MainTransaction, id: string): Promise<ExchangeProviderRow | undefined> {
  return lockRows(tx, tx.selectFrom("exchange_providers").selectAll().where("id", "=", id)).executeTakeFirst();
}

/** The enabled ones, by slug. */
/** Whether tokens of this issuer can be passed to servers, also while the issuer is disabled. */
export async function hasPassthrough(db: MainDb, issuer: string): Promise<boolean> {
  const rows = await db.selectFrom("exchange_providers").selectAll().where("issuer", "=", issuer).execute();
  return rows.some(({ definition }) => definition.passthrough);
}

export async function providersOfIssuer(db: MainDb, issuer: string): Promise<ExchangeProviderRow[]> {
  return db
    .selectFrom("exchange_providers")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("enabled", "=", true)
    .orderBy("slug")
    .execute();
}

/**
 * F46: reserves the audiences of an enabled provider, and releases those of a disabled one. False: another provider accepts
 * the issuer with one of them. Of two concurrent writes, the second waits for the first.
 */
export async function reserveAudiences(
  tx: MainTransaction,
  { id, issuer, enabled, definition: { audiences } }: ExchangeProviderRow,
): Promise<boolean> {
  await tx.deleteFrom("exchange_audiences").where("provider_id", "=", id).execute();
  if (!enabled) return true;
  const reserved = await tx
    .insertInto("exchange_audiences")
    .values(audiences.map((audience) => ({ key: audienceKey(issuer, audience), provider_id: id })))
    .onConflict((conflict) => conflict.column("key").doNothing())
    .returning("key")
    .execute();
  return reserved.length === audiences.length;
}

function audienceKey(issuer: string, audience: string): string {
  return createHash("sha256")
    .update(JSON.stringify([issuer, audience]))
    .digest("hex");
}

export async function searchProviders(
  db: MainDb,
  terms: SearchTerms,
  limit: number,
): Promise<Pick<ExchangeProviderRow, "slug" | "name" | "issuer" | "enabled">[]> {
  return db
    .selectFrom("exchange_providers")
    .select(["slug", "name", "issuer", "enabled"])
    .where(containsAll("search_text", terms))
    .orderBy(matchRank(terms, { names: ["search_text"] }))
    .orderBy("slug")
    .limit(limit)
    .execute();
}

/** Inserts under the wanted slug or the first free one after it. */
export async function insertProvider(tx: MainTransaction, row: ExchangeProviderRow): Promise<ExchangeProviderRow> {
  let attempt = firstFreeAttempt(row.slug, await takenSlugs(tx, row.slug), LONG_SLUG_MAX_LENGTH);
  for (;;) {
    const slug = slugCandidate(row.slug, attempt, LONG_SLUG_MAX_LENGTH);
    const named = { ...row, slug, search_text: searchText({ ...row, slug }) };
    // A constraint error would abort a Postgres transaction.
    const inserted = await tx
      .insertInto("exchange_providers")
      .values(named)
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) return named;
    attempt++;
  }
}

async function takenSlugs(tx: MainTransaction, wanted: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom("exchange_providers")
    .select("slug")
    .where((where) => where.or([where("slug", "=", wanted), where("slug", "like", `${wanted.slice(0, 50)}%`)]))
    .execute();
  return new Set(rows.map((row) => row.slug));
}

/** `before` is the locked row. Returns the row after the changes. */
export async function updateProvider(
  tx: MainTransaction,
  before: ExchangeProviderRow,
  changes: Partial<Pick<ExchangeProviderRow, "name" | "enabled" | "issuer" | "definition" | "updated_at">>,
): Promise<ExchangeProviderRow> {
  const after = { ...before, ...changes };
  after.search_text = searchText(after);
  const { id, slug, created_at, ...columns } = after;
  await tx.updateTable("exchange_providers").set(columns).where("id", "=", id).execute();
  return after;
}

/** Also deletes what was issued for it; end its credentials first. */
export async function deleteProvider(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("exchange_providers").where("id", "=", id).execute();
}
