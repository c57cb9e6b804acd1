import { decodeCursor, encodeCursor } from "#lib/cursor";
import type { OutboxClaim } from "#lib/outbox-runner";
import type { MainDb, MainTransaction } from "#storage/database";
import { deleteOldest } from "#storage/delete-oldest";
import { lockRows } from "#storage/lock-rows";
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from "#storage/webhook-tables";

/** A delivery can be redelivered any number of times; older attempts are deleted. */
const MOST_ATTEMPTS = 50;
const DELIVERY_ID = /^whd_\w+$/;

export interface DeliveryFilter {
  readonly webhookId: string;
  readonly status?: WebhookDeliveryRow["status"] | undefined;
  readonly event?: string | undefined;
}

/** Newest first. Throws if the cursor is invalid. */
export async function listDeliveries(
  db: MainDb,
  { webhookId, status, event }: DeliveryFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ rows: WebhookDeliveryRow[]; nextCursor: string | undefined }> {
  let query = db.selectFrom("webhook_deliveries").selectAll().where("webhook_id", "=", webhookId);
  if (status !== undefined) query = query.where("status", "=", status);
  if (event !== undefined) query = query.where("event_type", "=", event);
  if (cursor !== undefined) {
    const after = decodeCursor(cursor, DELIVERY_ID);
    query = query.where((row) => row(row.refTuple("at", "id"), "<", row.tuple(after.at, after.id)));
  }
  const rows = await query
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: last && rows.length > limit ? encodeCursor(last) : undefined };
}

export async function findDelivery(db: MainDb, webhookId: string, id: string): Promise<WebhookDeliveryRow | undefined> {
  return deliveryQuery(db, webhookId, id).executeTakeFirst();
}

export async function lockDelivery(
  tx: MainTransaction,
  webhookId: string,
  id: string,
): Promise<WebhookDeliveryRow | undefined> {
  return lockRows(tx, deliveryQuery(tx, webhookId, id)).executeTakeFirst();
}

function deliveryQuery(db: MainDb, webhookId: string, id: string) {
  return db.selectFrom("webhook_deliveries").selectAll().where("webhook_id", "=", webhookId).where("id", "=", id);
}

/** Oldest first. */
export async function attemptsOf(db: MainDb, deliveryId: string): Promise<WebhookAttemptRow[]> {
  return db
    .selectFrom("webhook_attempts")
    .selectAll()
    .where("delivery_id", "=", deliveryId)
    .orderBy("at")
    .orderBy("id")
    .execute();
}

export async function insertDelivery(tx: MainTransaction, row: WebhookDeliveryRow): Promise<void> {
  await tx.insertInto("webhook_deliveries").values(row).execute();
}

/** Whether a process sends it now. The claim of a dead process expires. */
export function isClaimed({ status, claimed_by, due_at }: WebhookDeliveryRow, now: number): boolean {
  return status === "pending" && claimed_by !== null && due_at > now;
}

/** Sends it again, with a new series of retries. */
export async function redeliver(tx: MainTransaction, id: string, now: number): Promise<void> {
  const again = { status: "pending", due_at: now, claimed_by: null, round_attempts: 0 } as const;
  await tx.updateTable("webhook_deliveries").set(again).where("id", "=", id).execute();
}

/** Enabled webhooks with a delivery that is due. */
export async function webhooksWithDue(db: MainDb, now: number): Promise<WebhookRow[]> {
  return db
    .selectFrom("webhooks")
    .selectAll()
    .where("enabled", "=", true)
    .where((where) =>
      where.exists(
        where
          .selectFrom("webhook_deliveries")
          .select("webhook_deliveries.id")
          .whereRef("webhook_deliveries.webhook_id", "=", "webhooks.id")
          .where("webhook_deliveries.status", "=", "pending")
          .where("webhook_deliveries.due_at", "<=", now),
      ),
    )
    .execute();
}

/**
 * Claims due deliveries of a webhook. Of two processes that claim the same row, the second waits for the first and then
 * finds that the row is not due.
 */
export async function claimDeliveries(
  db: MainDb,
  { id, format }: Pick<WebhookRow, "id" | "format">,
  { holder, now, until }: OutboxClaim,
  limit: number,
): Promise<WebhookDeliveryRow[]> {
  return db
    .updateTable("webhook_deliveries")
    .set({ claimed_by: holder, due_at: until, format })
    .where("id", "in", (from) =>
      from
        .selectFrom("webhook_deliveries as due")
        .select("due.id")
        .where("due.webhook_id", "=", id)
        .where("due.status", "=", "pending")
        .where("due.due_at", "<=", now)
        .orderBy("due.due_at")
        .limit(limit),
    )
    .where("status", "=", "pending")
    .where("due_at", "<=", now)
    .returningAll()
    .execute();
}

/** Stores an attempt. False if the delivery was deleted meanwhile. */
export async function addAttempt(tx: MainTransaction, row: WebhookAttemptRow): Promise<boolean> {
  const delivery = await lockRows(
    tx,
    tx.selectFrom("webhook_deliveries").selectAll().where("id", "=", row.delivery_id),
  ).executeTakeFirst();
  if (!delivery) return false;
  await tx.insertInto("webhook_attempts").values(row).execute();
  const attempts = delivery.attempts + 1;
  const last = { attempts, last_attempt_at: row.at, last_status: row.status, last_error: row.error };
  await tx.updateTable("webhook_deliveries").set(last).where("id", "=", row.delivery_id).execute();
  if (attempts > MOST_ATTEMPTS) await deleteOldAttempts(tx, row.delivery_id);
  return true;
}

async function deleteOldAttempts(tx: MainTransaction, deliveryId: string): Promise<void> {
  const newest = tx
    .selectFrom("webhook_attempts")
    .select("id")
    .where("delivery_id", "=", deliveryId)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(MOST_ATTEMPTS);
  await tx.deleteFrom("webhook_attempts").where("delivery_id", "=", deliveryId).where("id", "not in", newest).execute();
}

/** Also if another process claimed it meanwhile: the receiver has it. */
export async function markDelivered(tx: MainTransaction, id: string): Promise<void> {
  const done = { status: "delivered", claimed_by: null } as const;
  await tx.updateTable("webhook_deliveries").set(done).where("id", "=", id).where("status", "=", "pending").execute();
}

/** After a failed attempt: another one at `dueAt`, or none. Does nothing if the claim is lost. */
export async function releaseClaim(
  tx: MainTransaction,
  { id, due_at: claimedUntil, claimed_by: holder, round_attempts: attempts }: WebhookDeliveryRow,
  dueAt: number | undefined,
): Promise<void> {
  const next = dueAt === undefined ? ({ status: "failed" } as const) : { due_at: dueAt };
  await tx
    .updateTable("webhook_deliveries")
    .set({ ...next, claimed_by: null, round_attempts: attempts + 1 })
    .where("id", "=", id)
    .where("due_at", "=", claimedUntil)
    .where("claimed_by", "=", holder)
    .execute();
}

export function deleteDeliveriesBefore(db: MainDb, before: number, limit: number): Promise<boolean> {
  return deleteOldest(db, "webhook_deliveries", before, limit);
}

/** Keeps the newest deliveries of each webhook, so that a receiver that fails for long cannot fill the table. */
export async function trimDeliveries(db: MainDb, keep: number): Promise<void> {
  for (const { id } of await db.selectFrom("webhooks").select("id").execute()) {
    const edge = await db
      .selectFrom("webhook_deliveries")
      .select(["at", "id"])
      .where("webhook_id", "=", id)
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .offset(keep)
      .limit(1)
      .executeTakeFirst();
    if (!edge) continue;
    await db
      .deleteFrom("webhook_deliveries")
      .where("webhook_id", "=", id)
      .where((row) => row(row.refTuple("at", "id"), "<=", row.tuple(edge.at, edge.id)))
      .execute();
  }
}
