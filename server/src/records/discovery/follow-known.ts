/**
 * What this installation knows decides about items: a registered server and an own skill are managed. So when one is added
 * or removed, the devices that have the item are evaluated again.
 */
import { type RawBuilder, sql } from "kysely";
import type { MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { itemId } from "./items.ts";

/** For servers at these endpoints; null is a server without one. */
export async function requestEvaluationOfEndpoints(
  tx: MainTransaction,
  keys: readonly (string | null)[],
): Promise<void> {
  const known = [...new Set(keys)].filter((key) => key !== null);
  if (known.length === 0) return;
  await requestEvaluationOf(tx, sql`select id from discovery_items where endpoint_key in ${idList(tx, known)}`);
}

/** For skills with the content of a version that this installation has. */
export async function requestEvaluationOfSkills(tx: MainTransaction, digests: readonly string[]): Promise<void> {
  const ids = [...new Set(digests)].map((digest) => itemId("skill", digest));
  if (ids.length > 0) await requestEvaluationOf(tx, sql`select id from discovery_items where id in ${idList(tx, ids)}`);
}

async function requestEvaluationOf(tx: MainTransaction, items: RawBuilder<unknown>): Promise<void> {
  await sql`update discovery_devices set evaluation = 0 where id in
    (select device_id from discovery_instances where removed_at is null and item_id in (${items}))`.execute(tx);
}
