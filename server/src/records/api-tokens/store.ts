import { createHash } from "node:crypto";
import { unlessDiskFull } from "#storage/constraints";
import type { MainDb, MainTransaction } from "#storage/database";
import type { ApiTokenRow } from "#storage/user-tables";

/** A plain hash is enough, because tokens are random. */
export function apiTokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export async function findApiToken(db: MainDb, token: string): Promise<ApiTokenRow | undefined> {
  return db.selectFrom("api_tokens").selectAll().where("token_hash", "=", apiTokenHash(token)).executeTakeFirst();
}

export async function findApiTokenById(db: MainDb, id: string): Promise<ApiTokenRow | undefined> {
  return db.selectFrom("api_tokens").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function listApiTokens(
  db: MainDb,
  { skip, limit }: { skip: number; limit: number },
): Promise<ApiTokenRow[]> {
  return db
    .selectFrom("api_tokens")
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .offset(skip)
    .limit(limit)
    .execute();
}

export async function countApiTokens(db: MainDb): Promise<number> {
  const { n } = await db
    .selectFrom("api_tokens")
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function insertApiToken(tx: MainTransaction, row: ApiTokenRow): Promise<void> {
  await tx.insertInto("api_tokens").values(row).execute();
}

export async function deleteApiToken(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("api_tokens").where("id", "=", id).execute();
}

/** Rounded to the minute, so that a busy token causes one write per minute. */
export async function touchApiToken(db: MainDb, token: ApiTokenRow, now: number): Promise<void> {
  if (token.last_used_at !== null && now - token.last_used_at < 60_000) return;
  const touched = db.updateTable("api_tokens").set({ last_used_at: now }).where("id", "=", token.id);
  await unlessDiskFull(touched.execute());
}
