import type { MainDb, MainTransaction } from "#storage/database";
import type { DiscoveryHistoryRow, DiscoveryPolicyRow, DiscoveryRuleRow } from "#storage/discovery-tables";
import { lockRows } from "#storage/lock-rows";

/** More would make every evaluation slow. */
export const MOST_RULES = 1_000;

export async function readPolicy(db: MainDb): Promise<DiscoveryPolicyRow> {
  return db.selectFrom("discovery_policy").selectAll().where("id", "=", 1).executeTakeFirstOrThrow();
}

/** Every write of the policy and its rules takes this lock first, so that versions and positions have no gaps. */
export async function lockPolicy(tx: MainTransaction): Promise<DiscoveryPolicyRow> {
  return lockRows(tx, tx.selectFrom("discovery_policy").selectAll().where("id", "=", 1)).executeTakeFirstOrThrow();
}

export async function updatePolicy(tx: MainTransaction, changes: Partial<DiscoveryPolicyRow>): Promise<void> {
  await tx.updateTable("discovery_policy").set(changes).where("id", "=", 1).execute();
}

/** Requests another evaluation of all instances, without a new version: something else that decides has changed. */
export async function requestEvaluation(tx: MainTransaction): Promise<void> {
  const { evaluation } = await lockPolicy(tx);
  await updatePolicy(tx, { evaluation: evaluation + 1 });
}

export async function listRules(
  db: MainDb,
  page?: { readonly offset: number; readonly limit: number },
): Promise<DiscoveryRuleRow[]> {
  const query = db.selectFrom("discovery_rules").selectAll().orderBy("position").orderBy("id");
  return page === undefined ? query.execute() : query.offset(page.offset).limit(page.limit).execute();
}

export async function countRules(db: MainDb): Promise<number> {
  const { n } = await db
    .selectFrom("discovery_rules")
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findRule(db: MainDb, id: string): Promise<DiscoveryRuleRow | undefined> {
  return db.selectFrom("discovery_rules").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function insertRule(tx: MainTransaction, row: DiscoveryRuleRow): Promise<void> {
  await tx.insertInto("discovery_rules").values(row).execute();
}

export async function updateRule(
  tx: MainTransaction,
  id: string,
  changes: Partial<Omit<DiscoveryRuleRow, "id" | "position">>,
): Promise<void> {
  await tx.updateTable("discovery_rules").set(changes).where("id", "=", id).execute();
}

export async function deleteRule(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("discovery_rules").where("id", "=", id).execute();
}

/** Numbers the rules from 1 in this order. */
export async function storeOrder(tx: MainTransaction, ids: readonly string[]): Promise<void> {
  const stored = await tx.selectFrom("discovery_rules").select(["id", "position"]).execute();
  const positions = new Map(stored.map(({ id, position }) => [id, position]));
  for (const [index, id] of ids.entries()) {
    if (positions.get(id) === index + 1) continue;
    await tx
      .updateTable("discovery_rules")
      .set({ position: index + 1 })
      .where("id", "=", id)
      .execute();
  }
}

export async function insertHistory(tx: MainTransaction, row: DiscoveryHistoryRow): Promise<void> {
  await tx.insertInto("discovery_policy_history").values(row).execute();
}

/** Newest first. */
export async function listHistory(
  db: MainDb,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<DiscoveryHistoryRow[]> {
  return db
    .selectFrom("discovery_policy_history")
    .selectAll()
    .orderBy("at", "desc")
    .orderBy("version", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function hasRuleExpiredBetween(db: MainDb, from: number, to: number): Promise<boolean> {
  const rule = await db
    .selectFrom("discovery_rules")
    .select("id")
    .where("enabled", "=", true)
    .where("expires_at", ">", from)
    .where("expires_at", "<=", to)
    .limit(1)
    .executeTakeFirst();
  return rule !== undefined;
}
