/**
 * The sealed payloads of calls, stored separately from the log, for a shorter time and up to a total size (decision
 * 0043).
 */
import { insertRows } from "#storage/bulk-insert";
import type { CallTables } from "#storage/call-tables";
import type { CallsDb } from "#storage/database";
import { deleteOldest } from "#storage/delete-oldest";
import type { Vault } from "#storage/vault";

export type CallPayloadRow = CallTables["call_payloads"];

/** The stored request or response of a call. */
export interface KeptBody {
  /** Null if it was too large to be searched for secrets. */
  readonly text: string | null;
  /** The full size. */
  readonly bytes: number;
  /** Whether the stored text is truncated. */
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
  return JSON.parse(vault.open("call-payload", placeOf(id), sealed)); // sealed by this module, so the content is known
}

function placeOf(requestId: string) {
  return { table: "call_payloads", row: requestId, column: "sealed" };
}

/** Existing rows stay: an earlier attempt was stored although it seemed to fail. */
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

/** The stored payloads of these calls, by request ID; at most 500. */
export async function findPayloads(
  db: CallsDb,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, CallPayloadRow>> {
  if (requestIds.length === 0) return new Map();
  const rows = await db.selectFrom("call_payloads").selectAll().where("id", "in", requestIds).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function hasPayload(db: CallsDb, requestId: string): Promise<boolean> {
  return (
    (await db.selectFrom("call_payloads").select("id").where("id", "=", requestId).executeTakeFirst()) !== undefined
  );
}

export function deletePayloadsBefore(db: CallsDb, before: number, limit: number): Promise<boolean> {
  return deleteOldest(db, "call_payloads", before, limit);
}

/**
 * Deletes the oldest payloads, at most `limit`, while their total size exceeds `maxBytes`. Returns whether there may be
 * more to delete.
 */
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
