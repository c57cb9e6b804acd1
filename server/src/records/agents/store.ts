import { fold } from "#lib/fold";
import { firstFreeAttempt, LONG_SLUG_MAX_LENGTH, slugCandidate } from "#lib/slug";
import type { AgentRow } from "#storage/agent-tables";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";

export interface AgentFilter {
  readonly status?: AgentRow["status"] | undefined;
  /** Part of the slug, the name or the description. */
  readonly search?: string | undefined;
}

function searchText({ name, slug, description }: Pick<AgentRow, "name" | "slug" | "description">): string {
  return `${fold(name)}\n${slug}\n${fold(description)}`;
}

function filtered(db: MainDb, { status, search }: AgentFilter) {
  let query = db.selectFrom("agents");
  if (status !== undefined) query = query.where("status", "=", status);
  if (search !== undefined) query = query.where(contains("search_text", search));
  return query;
}

export async function listAgents(
  db: MainDb,
  filter: AgentFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<AgentRow[]> {
  return filtered(db, filter).selectAll().orderBy("created_at").orderBy("id").offset(offset).limit(limit).execute();
}

export async function countAgents(db: MainDb, filter: AgentFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findAgent(db: MainDb, slug: string): Promise<AgentRow | undefined> {
  return db.selectFrom("agents").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function findAgentById(db: MainDb, id: string): Promise<AgentRow | undefined> {
  return db.selectFrom("agents").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Slugs of the agents that use the toolkit, at most `limit`. */
export async function agentsBoundTo(db: MainDb, toolkit: string, limit: number): Promise<string[]> {
  const agents = db.selectFrom("agents").select("slug").where("toolkit", "=", toolkit);
  return (await agents.orderBy("slug").limit(limit).execute()).map(({ slug }) => slug);
}

export async function lockAgent(tx: MainTransaction, slug: string): Promise<AgentRow | undefined> {
  return lockRows(tx, tx.selectFrom("agents").selectAll().where("slug", "=", slug)).executeTakeFirst();
}

export async function searchAgents(
  db: MainDb,
  terms: SearchTerms,
  limit: number,
): Promise<Pick<AgentRow, "slug" | "name" | "status">[]> {
  return db
    .selectFrom("agents")
    .select(["slug", "name", "status"])
    .where(containsAll("search_text", terms))
    .orderBy(matchRank(terms, { names: ["search_text"] }))
    .orderBy("slug")
    .limit(limit)
    .execute();
}

/** Inserts under the wanted slug or the first free one after it. */
export async function insertAgent(tx: MainTransaction, row: AgentRow): Promise<AgentRow> {
  const rows = await tx
    .selectFrom("agents")
    .select("slug")
    .where("slug", "like", `${row.slug.slice(0, 50)}%`)
    .execute();
  const taken = new Set(rows.map(({ slug }) => slug));
  for (let attempt = firstFreeAttempt(row.slug, taken, LONG_SLUG_MAX_LENGTH); ; attempt++) {
    const named = { ...row, slug: slugCandidate(row.slug, attempt, LONG_SLUG_MAX_LENGTH) };
    const stored = { ...named, search_text: searchText(named) };
    // A constraint error would abort a Postgres transaction.
    const inserted = await tx
      .insertInto("agents")
      .values(stored)
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) return stored;
  }
}

/** `before` is the locked row. */
export async function updateAgent(
  tx: MainTransaction,
  before: AgentRow,
  changes: Partial<Omit<AgentRow, "id" | "slug" | "search_text" | "created_at">>,
): Promise<AgentRow> {
  const changed = { ...before, ...changes };
  const after = { ...changed, search_text: searchText(changed) };
  const { id, created_at: _created, ...columns } = after;
  await tx.updateTable("agents").set(columns).where("id", "=", id).execute();
  return after;
}

/** Also deletes its sessions. */
export async function deleteAgent(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("agents").where("id", "=", id).execute();
}
