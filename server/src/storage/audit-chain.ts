import { createHash } from "node:crypto";
import { CompiledQuery, type Kysely, PostgresAdapter, sql } from "kysely";
import type { AuditRow } from "./audit-tables.ts";
import type { MainDb, MainTransaction } from "./database.ts";
import { lockRows } from "./lock-rows.ts";
import { FOR_EACH_ROW } from "./stored-values.ts";
import type { MainTables } from "./tables.ts";

/** The hash before the first entry. */
export const GENESIS_HASH = "0".repeat(64);
const FORMAT = "gatehouse-audit/1";
const ROWS_PER_SLICE = 500;

/** The columns that a hash covers, in this order, after the format, the previous hash and the position. */
const COLUMNS = [
  "id",
  "at",
  "actor_kind",
  "actor_id",
  "actor_name",
  "operation",
  "target_kind",
  "target_id",
  "target_name",
  "before",
  "after",
  "request_id",
  "ip",
] as const satisfies readonly (keyof AuditRow)[];

/** The texts of a row's columns as the database stores them, so that no change of a stored byte goes unnoticed. */
export type AuditTexts = Readonly<Record<(typeof COLUMNS)[number], string | null>>;

export interface ChainPosition {
  readonly seq: number;
  readonly hash: string;
}

/** SHA-256 of a JSON array of texts. */
export function chainHash(previous: string, seq: number, texts: AuditTexts): string {
  const values = COLUMNS.map((name) => texts[name]?.toWellFormed() ?? null);
  return createHash("sha256")
    .update(JSON.stringify([FORMAT, previous, String(seq), ...values]))
    .digest("hex");
}

/** The texts that the database will store for a new row. */
function textsOf(row: Omit<AuditRow, "seq" | "hash">): AuditTexts {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  return { ...row, at: String(row.at), before: json(row.before), after: json(row.after) };
}

/** Selects the stored texts. A JSON column in Postgres keeps its text unchanged, as SQLite does. */
export function selectTexts(db: Kysely<MainTables>) {
  return db
    .selectFrom("audit")
    .select(["seq", "hash"])
    .select(COLUMNS.map((name) => sql<string | null>`cast(${sql.ref(name)} as text)`.as(name)));
}

/**
 * Appends rows to the chain. The lock of the chain's last position is held until the commit, so entries have the order of
 * their commits. Nothing that waits for other locks follows, except the change counter, which every write takes after it.
 */
export async function insertChained(
  tx: MainTransaction,
  rows: readonly Omit<AuditRow, "seq" | "hash">[],
): Promise<void> {
  let last = await lockChain(tx);
  const chained = rows.map((row) => {
    const seq = last.seq + 1;
    last = { seq, hash: chainHash(last.hash, seq, textsOf(row)) };
    return { ...row, ...last };
  });
  for (let start = 0; start < chained.length; start += ROWS_PER_SLICE) {
    await tx
      .insertInto("audit")
      .values(chained.slice(start, start + ROWS_PER_SLICE))
      .execute();
  }
  await tx.updateTable("audit_chain").set(last).where("id", "=", 1).execute();
}

export async function lockChain(tx: MainTransaction): Promise<ChainPosition> {
  const query = tx.selectFrom("audit_chain").select(["seq", "hash"]).where("id", "=", 1);
  return lockRows(tx, query).executeTakeFirstOrThrow();
}

/** Whether an earlier release wrote rows after the chain began, in a rolling upgrade. */
export async function hasUnchained(db: MainDb): Promise<boolean> {
  return (await db.selectFrom("audit").select("id").where("seq", "is", null).limit(1).executeTakeFirst()) !== undefined;
}

/** Appends all rows without a position, in the order of `at, id`, and returns their number. */
export async function chainUnchained(tx: MainTransaction): Promise<number> {
  let last = await lockChain(tx);
  let count = 0;
  for (let after: { at: number; id: string } | undefined; ; ) {
    let query = selectTexts(tx).where("seq", "is", null).orderBy("audit.at").orderBy("audit.id").limit(ROWS_PER_SLICE);
    const from = after;
    if (from) query = query.where((row) => row(row.refTuple("audit.at", "audit.id"), ">", row.tuple(from.at, from.id)));
    const rows = await query.execute();
    const end = rows.at(-1);
    if (!end) break;
    const updates = rows.map((row) => {
      const seq = last.seq + 1;
      last = { seq, hash: chainHash(last.hash, seq, row) };
      return [seq, last.hash, row.id] as const;
    });
    await updatePositions(tx, updates);
    count += rows.length;
    after = { at: Number(end.at), id: String(end.id) };
  }
  if (count > 0) await tx.updateTable("audit_chain").set(last).where("id", "=", 1).execute();
  return count;
}

/** One statement and one parameter for a slice, as `bulk-insert.ts` does. */
async function updatePositions(
  tx: MainTransaction,
  rows: readonly (readonly [seq: number, hash: string, id: string | null])[],
): Promise<void> {
  if (tx.getExecutor().adapter instanceof PostgresAdapter) {
    await sql`update audit set seq = cast(value->>0 as bigint), hash = value->>1
      from json_array_elements(${JSON.stringify(rows)}::json) as json_rows(value) where audit.id = value->>2`.execute(
      tx,
    );
    return;
  }
  const update = "update audit set seq = ?, hash = ? where id = ?";
  await tx.executeQuery(CompiledQuery.raw(FOR_EACH_ROW + update, [rows]));
}
