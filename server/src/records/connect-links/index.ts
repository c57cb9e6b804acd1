import { createHash } from "node:crypto";
import type { RandomBytes } from "#lib/random";
import { newConnectLinkToken } from "#lib/tokens";
import type { MainDb, MainTransaction } from "#storage/database";

export const CONNECT_LINK_MS = 10 * 60 * 1000;

export interface ConnectLink {
  readonly userId: string;
  readonly serverId: string;
}

const MAX_PER_USER = 20;

/** The token is stored only as a hash. The newest links of the user are kept. */
export async function makeConnectLink(
  tx: MainTransaction,
  { userId, serverId }: ConnectLink,
  { now, random }: { readonly now: number; readonly random: RandomBytes },
): Promise<string> {
  const token = newConnectLinkToken(random);
  await tx
    .insertInto("connect_links")
    .values({ token_hash: hashOf(token), user_id: userId, server_id: serverId, expires_at: now + CONNECT_LINK_MS })
    .execute();
  const newest = tx
    .selectFrom("connect_links")
    .select("token_hash")
    .where("user_id", "=", userId)
    .orderBy("expires_at", "desc")
    .orderBy("token_hash")
    .limit(MAX_PER_USER);
  await tx.deleteFrom("connect_links").where("user_id", "=", userId).where("token_hash", "not in", newest).execute();
  return token;
}

/** Does not consume the link. */
export async function findConnectLink(db: MainDb, token: string, now: number): Promise<ConnectLink | undefined> {
  const row = await db
    .selectFrom("connect_links")
    .select(["user_id", "server_id"])
    .where("token_hash", "=", hashOf(token))
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row && { userId: row.user_id, serverId: row.server_id };
}

/** Consumes the link. Undefined if it was used or has expired. */
export async function takeConnectLink(db: MainDb, token: string, now: number): Promise<ConnectLink | undefined> {
  const row = await db
    .deleteFrom("connect_links")
    .where("token_hash", "=", hashOf(token))
    .returningAll()
    .executeTakeFirst();
  return row && row.expires_at > now ? { userId: row.user_id, serverId: row.server_id } : undefined;
}

export async function deleteConnectLinksOfUser(tx: MainTransaction, userId: string): Promise<void> {
  await tx.deleteFrom("connect_links").where("user_id", "=", userId).execute();
}

export async function deleteConnectLinksBefore(db: MainDb, now: number): Promise<void> {
  await db.deleteFrom("connect_links").where("expires_at", "<=", now).execute();
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
