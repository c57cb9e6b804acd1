import { type BulkColumnOf, cellsOf, insertRows } from "#storage/bulk-insert";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryItemRow } from "#storage/discovery-tables";

const COLUMNS = [
  ["id", "text"],
  ["kind", "text"],
  ["key", "text"],
  ["name", "text"],
  ["search_text", "text"],
  ["facts", "json"],
  ["transport", "text"],
  ["endpoint_key", "text"],
  ["managed", "boolean"],
  ["action", "text"],
  ["rule_id", "text"],
  ["review_status", "text"],
  ["note", "text"],
  ["reviewed_by", "text"],
  ["reviewed_at", "bigint"],
  ["risk_score", "bigint"],
  ["risk_reasons", "json"],
  ["devices_count", "bigint"],
  ["users_count", "bigint"],
  ["instances_count", "bigint"],
  ["first_seen", "bigint"],
  ["last_seen", "bigint"],
] as const satisfies BulkColumnOf<DiscoveryItemRow>[];

/** Items that exist stay unchanged. */
export async function insertItems(tx: MainTransaction, rows: readonly DiscoveryItemRow[]): Promise<void> {
  const sorted = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  await insertRows(
    tx,
    "discovery_items",
    COLUMNS,
    sorted.map((row) => cellsOf(COLUMNS, row)),
    "on conflict do nothing",
  );
}
