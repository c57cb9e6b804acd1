import { createHash } from "node:crypto";
import type { RandomBytes } from "#lib/random";
import { newSetupToken } from "#lib/tokens";
import type { MainDb, MainTransaction } from "#storage/database";

const VALID_MS = 60 * 60 * 1000;

/** AUTH-11: valid for an hour and one use. Several can exist, because each process creates one when it starts. */
export async function makeSetupLink(
  tx: MainTransaction,
  { breakGlass, now, random }: { breakGlass: boolean; now: number; random: RandomBytes },
): Promise<string> {
  const token = newSetupToken(random);
  const row = { token_hash: hashOf(token), break_glass: breakGlass, created_at: now, expires_at: now + VALID_MS };
  await tx
    .insertInto("setup_links")
    .values({ ...row, used_at: null })
    .execute();
  return token;
}

/** Undefined if unknown, used or expired. */
export async function findSetupLink(
  db: MainDb,
  token: string,
  now: number,
): Promise<{ breakGlass: boolean } | undefined> {
  const row = await db
    .selectFrom("setup_links")
    .select("break_glass")
    .where("token_hash", "=", hashOf(token))
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row && { breakGlass: row.break_glass };
}

/** Of several concurrent uses one succeeds. Undefined as in `findSetupLink`. */
export async function useSetupLink(
  tx: MainTransaction,
  token: string,
  now: number,
): Promise<{ breakGlass: boolean } | undefined> {
  const used = await tx
    .updateTable("setup_links")
    .set({ used_at: now })
    .where("token_hash", "=", hashOf(token))
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returning("break_glass")
    .executeTakeFirst();
  return used && { breakGlass: used.break_glass };
}

export async function deleteSetupLinksBefore(db: MainDb, now: number): Promise<void> {
  await db.deleteFrom("setup_links").where("expires_at", "<=", now).execute();
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
