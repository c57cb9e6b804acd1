import type { Selectable } from "kysely";
import type { NewId } from "#lib/ids";
import { lockChain } from "#storage/audit-chain";
import type { MainDb, MainTransaction } from "#storage/database";
import type { MainTables } from "#storage/tables";
import type { Vault } from "#storage/vault";
import { insertCheckpoint } from "./checkpoints.ts";

export type ChainState = Selectable<MainTables["audit_verification"]>;

export function readChainState(db: MainDb): Promise<ChainState> {
  return db.selectFrom("audit_verification").selectAll().where("id", "=", 1).executeTakeFirstOrThrow();
}

export async function updateChainState(db: MainDb, patch: Partial<Omit<ChainState, "id">>): Promise<void> {
  await db.updateTable("audit_verification").set(patch).where("id", "=", 1).execute();
}

export async function countUnchained(db: MainDb): Promise<number> {
  const { count } = await db
    .selectFrom("audit")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("seq", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Deletes up to `limit` entries from the start of the chain that are older than `before`, and signs a checkpoint at the cut
 * in the same transaction. An entry from the future was written with a wrong clock, and does not keep older ones. Returns
 * whether there may be more.
 */
export async function cutChain(
  tx: MainTransaction,
  vault: Vault,
  { before, limit, now, newId }: { before: number; limit: number; now: number; newId: NewId },
): Promise<boolean> {
  await lockChain(tx);
  const rows = await tx
    .selectFrom("audit")
    .select(["seq", "hash", "at"])
    .where("seq", "is not", null)
    .orderBy("seq")
    .limit(limit)
    .execute();
  const kept = rows.findIndex(({ at }) => at >= before && at <= now + DAY_MS);
  const end = (kept < 0 ? rows : rows.slice(0, kept)).findLast(({ at }) => at < before);
  if (!end || end.seq === null || end.hash === null) return false;
  await insertCheckpoint(tx, vault, "cut", { seq: end.seq, hash: end.hash }, { newId, at: now });
  await tx.deleteFrom("audit").where("seq", "<=", end.seq).execute();
  await tx.deleteFrom("audit_checkpoints").where("seq", "<", end.seq).execute();
  return rows.length === limit && kept < 0;
}
