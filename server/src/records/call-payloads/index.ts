/** What calls carried, sealed: kept apart from the log, for a shorter time and within a bound (decision 0043). */
import { insertRows } from "#storage/bulk-insert";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";
import { deleteOldest } from "#storage/delete-oldest";
import type { Vault } from "#storage/vault";

export type CallPayloadRow = CallTables["call_payloads"];

/** One direction of a call, as it is kept. */
export interface KeptBody {
  /** Null: it was too large to be looked through for secrets. */
  readonly text: string | null;
  /** Of all there was. */
  readonly bytes: number;
  /** Whether more went than is kept. */
  readonly is_cut: boolean;
}

export interface KeptPayload {
  readonly request: KeptBody;
  readonly response: KeptBody;
}

export function sealPayload(vault: Vault, requestId: string, payload: KeptPayload): string {
  return vault.seal("call-payload", placeOf(requestId), JSON.stringify(payload));
}

export function openPayload(vault: Vault, { id, sealed }: CallPayloadRow): KeptPayload {
  return JSON.parse(vault.open("call-payload", placeOf(id), sealed)); // sealed by us: nothing else opens
}

function placeOf(requestId: string) {
  return { table: "call_payloads", row: requestId, column: "sealed" };
}

/** Those that are there already stay: an earlier try had been stored after all. */
export async function insertPayloads(db: CallsDb, rows: readonly CallPayloadRow[]): Promise<void> {
  const values = rows.map(({ id, at, bytes, capture, sealed }) => [id, Math.round(at), bytes, capture, sealed]);
  await insertRows(db, "call_payloads", COLUMNS, values, "on conflict do nothing");
}

const COLUMNS = [
  ["id", "text"],
  ["at", "bigint"],
  ["bytes", "bigint"],
  ["capture", "text"],
  ["sealed", "text"],
] as const;

export async function findPayload(db: CallsDb, requestId: string): Promise<CallPayloadRow | undefined> {
  return db.selectFrom("call_payloads").selectAll().where("id", "=", requestId).executeTakeFirst();
}

export async function hasPayload(db: CallsDb, requestId: string): Promise<boolean> {
  return (
    (await db.selectFrom("call_payloads").select("id").where("id", "=", requestId).executeTakeFirst()) !== undefined
  );
}

export function deletePayloadsBefore(db: CallsDb, before: number, limit: number): Promise<boolean> {
  return deleteOldest(db, "call_payloads", before, limit);
}

/** Deletes the oldest, at most `limit` of them, while all together are larger than that. Answers whether there may be more to delete. */
export async function trimPayloads(db: CallsDb, maxBytes: number, limit: number): Promise<boolean> {
  const { total } = await db
    .selectFrom("call_payloads")
    .select((is) => is.fn.sum<number | string | null>("bytes").as("total"))
    .executeTakeFirstOrThrow();
  let excess = Number(total ?? 0) - maxBytes;
  if (excess <= 0) return false;
  const oldest = await db
    .selectFrom("call_payloads")
    .select(["at", "id", "bytes"])
    .orderBy("at")
    .orderBy("id")
    .limit(limit)
    .execute();
  const gone = oldest.filter(({ bytes }) => {
    const isTooMuch = excess > 0;
    excess -= bytes;
    return isTooMuch;
  });
  const ids = gone.map(({ id }) => id);
  await db.deleteFrom("call_payloads").where("id", "in", ids).execute();
  return excess > 0;
}
