import type { MainDb, MainTransaction } from "#storage/database";

export interface KeptAnswer {
  readonly request_hash: string;
  readonly status: number;
  /** The body as JSON text, without values that are shown only once (D34). */
  readonly answer: string;
}

export async function findKeptAnswer(
  db: MainDb,
  actorId: string,
  keyHash: string,
  notBefore: number,
): Promise<KeptAnswer | undefined> {
  return db
    .selectFrom("idempotency")
    .select(["request_hash", "status", "answer"])
    .where("actor_id", "=", actorId)
    .where("key_hash", "=", keyHash)
    .where("created_at", ">=", notBefore)
    .executeTakeFirst();
}

/** One caller's stored responses. The oldest are deleted first, so a repeated request would run again. */
const MAX_PER_CALLER = 10_000;

export async function trimKeptAnswers(tx: MainTransaction, actorId: string, most = MAX_PER_CALLER): Promise<void> {
  const newest = tx
    .selectFrom("idempotency")
    .select("key_hash")
    .where("actor_id", "=", actorId)
    .orderBy("created_at", "desc")
    .orderBy("key_hash")
    .limit(most);
  await tx.deleteFrom("idempotency").where("actor_id", "=", actorId).where("key_hash", "not in", newest).execute();
}

/** Replaces an expired response with the same key. */
export async function keepAnswer(
  tx: MainTransaction,
  row: KeptAnswer & {
    readonly actor_id: string;
    readonly key_hash: string;
    readonly operation: string;
    readonly created_at: number;
  },
  notBefore: number,
): Promise<void> {
  await tx
    .deleteFrom("idempotency")
    .where("actor_id", "=", row.actor_id)
    .where("key_hash", "=", row.key_hash)
    .where("created_at", "<", notBefore)
    .execute();
  await tx.insertInto("idempotency").values(row).execute();
}

export async function deleteKeptAnswers(db: MainDb, before: number): Promise<void> {
  await db.deleteFrom("idempotency").where("created_at", "<", before).execute();
}
