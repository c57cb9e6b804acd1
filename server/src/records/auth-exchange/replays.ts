import { createHash } from "node:crypto";
import type { MainDb } from "#storage/database";

function hashOf(jti: string): string {
  return createHash("sha256").update(jti).digest("hex");
}

export async function isReplayed(db: MainDb, providerId: string, jti: string): Promise<boolean> {
  const row = await db
    .selectFrom("exchange_replays")
    .select("expires_at")
    .where("provider_id", "=", providerId)
    .where("jti_hash", "=", hashOf(jti))
    .executeTakeFirst();
  return row !== undefined;
}

/** Of several concurrent calls, exactly one returns true. */
export async function addReplay(
  db: MainDb,
  { providerId, jti, expiresAt }: { readonly providerId: string; readonly jti: string; readonly expiresAt: number },
): Promise<boolean> {
  const added = await db
    .insertInto("exchange_replays")
    .values({ provider_id: providerId, jti_hash: hashOf(jti), expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(["provider_id", "jti_hash"]).doNothing())
    .returning("jti_hash")
    .execute();
  return added.length === 1;
}

export async function deleteReplaysBefore(db: MainDb, now: number): Promise<void> {
  await db.deleteFrom("exchange_replays").where("expires_at", "<=", now).execute();
}
