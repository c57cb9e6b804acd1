/** Stores the text of results that were cut, so that any process can answer reads of the rest. */
import type { StoredResults } from "#gateway/ports";
import type { Clock } from "#lib/clock";
import { findStoredResult, insertStoredResult, storedTotals, trimStoredResults } from "#records/stored-results";
import type { MainDb } from "#storage/database";
import type { Vault } from "#storage/vault";

export const STORED_RESULT_MS = 60 * 60 * 1000;
const OF_USER = { count: 50, bytes: 32 * 1024 * 1024 };
const OF_ALL = { count: 20_000, bytes: 512 * 1024 * 1024 };

export interface StoredResultsNeeds {
  readonly db: MainDb;
  readonly vault: Vault;
  readonly clock: Clock;
  newId(): string;
}

export function createStoredResults({ db, vault, clock, newId }: StoredResultsNeeds): StoredResults {
  const placeOf = (id: string) => ({ table: "stored_results", row: id, column: "sealed_text" });
  return {
    async save({ userId, serverId, text }) {
      const bytes = Buffer.byteLength(text);
      const total = await storedTotals(db);
      // Deleting results of others would let one caller take them away.
      if (total.count >= OF_ALL.count || total.bytes + bytes > OF_ALL.bytes) return undefined;
      const id = newId();
      const sealed_text = vault.seal("stored-result", placeOf(id), text);
      const row = { id, user_id: userId, server_id: serverId, bytes, sealed_text, created_at: clock.now() };
      await insertStoredResult(db, row);
      await trimStoredResults(db, userId, OF_USER);
      return id;
    },
    async find(userId, id) {
      const row = await findStoredResult(db, { id, userId, after: clock.now() - STORED_RESULT_MS });
      return row && { serverId: row.server_id, text: vault.open("stored-result", placeOf(id), row.sealed_text) };
    },
  };
}
