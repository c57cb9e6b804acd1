import { createHash } from "node:crypto";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { McpSubscriptionRow } from "#storage/session-tables";
import type { WriteTrail } from "#storage/transaction";
import { rememberMcpSession } from "./store.ts";

type Place = Pick<McpSubscriptionRow, "mcp_session_id" | "server_id" | "uri">;

/** Notifies every process. */
export async function insertMcpSubscription(
  tx: MainTransaction,
  trail: WriteTrail,
  row: Place & Pick<McpSubscriptionRow, "asked_uri" | "held_by">,
  now: number,
): Promise<void> {
  const { asked_uri } = row;
  await tx
    .insertInto("mcp_subscriptions")
    .values({ ...row, handed_over: null, key_hash: keyOf(row), created_at: now, used_at: now })
    .onConflict((conflict) => conflict.column("key_hash").doUpdateSet({ asked_uri, used_at: now }))
    .execute();
  await rememberMcpSession(tx, trail, row.mcp_session_id, now);
}

/** Assigns the subscription to this process. Notifies every process. */
export async function takeMcpSubscription(
  tx: MainTransaction,
  trail: WriteTrail,
  place: Place,
  holder: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable("mcp_subscriptions")
    .set({ held_by: holder, handed_over: null })
    .where("key_hash", "=", keyOf(place))
    .execute();
  await rememberMcpSession(tx, trail, place.mcp_session_id, now);
}

/** Called by the previous holder. Notifies every process. */
export async function handOverMcpSubscription(
  tx: MainTransaction,
  trail: WriteTrail,
  place: Place,
  said: { readonly by: string; readonly word: "quiet" | "missed" },
  now: number,
): Promise<void> {
  await tx
    .updateTable("mcp_subscriptions")
    .set({ handed_over: said.word })
    .where("key_hash", "=", keyOf(place))
    .where("held_by", "!=", said.by)
    .execute();
  await rememberMcpSession(tx, trail, place.mcp_session_id, now);
}

export async function deleteMcpSubscription(
  tx: MainTransaction,
  trail: WriteTrail,
  place: Place,
  now: number,
): Promise<void> {
  await tx.deleteFrom("mcp_subscriptions").where("key_hash", "=", keyOf(place)).execute();
  await rememberMcpSession(tx, trail, place.mcp_session_id, now);
}

export async function mcpSubscriptionsOf(db: MainDb, mcpSessionId: string): Promise<McpSubscriptionRow[]> {
  return db
    .selectFrom("mcp_subscriptions")
    .selectAll()
    .where("mcp_session_id", "=", mcpSessionId)
    .orderBy("created_at")
    .orderBy("key_hash")
    .execute();
}

export async function touchMcpSubscriptions(db: MainDb, mcpSessionIds: readonly string[], now: number): Promise<void> {
  await db
    .updateTable("mcp_subscriptions")
    .set({ used_at: now })
    .where("mcp_session_id", "in", idList(db, mcpSessionIds))
    .execute();
}

const MAX_ROWS = 100_000;

/** Keeps the rows that were used last. */
export async function trimMcpSubscriptions(db: MainDb, most = MAX_ROWS): Promise<void> {
  const oldest = await db
    .selectFrom("mcp_subscriptions")
    .select("used_at")
    .orderBy("used_at", "desc")
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  if (oldest) await db.deleteFrom("mcp_subscriptions").where("used_at", "<=", oldest.used_at).execute();
}

export async function deleteMcpSubscriptionsBefore(db: MainDb, before: number): Promise<void> {
  await db.deleteFrom("mcp_subscriptions").where("used_at", "<", before).execute();
}

function keyOf({ mcp_session_id, server_id, uri }: Place): string {
  return createHash("sha256")
    .update(JSON.stringify([mcp_session_id, server_id, uri]))
    .digest("hex");
}
