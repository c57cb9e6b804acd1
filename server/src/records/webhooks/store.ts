import { invalid } from "#lib/errors";
import type { WebhookEventType } from "#lib/webhook-events";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";
import type { WebhookDeliveryRow, WebhookRow } from "#storage/webhook-tables";

/** Every event is written once per webhook, and each webhook can have several open requests. */
export const MOST_WEBHOOKS = 100;

export interface WebhookWithState extends WebhookRow {
  /** The newest delivery that was attempted. */
  readonly last: Pick<WebhookDeliveryRow, "status" | "last_attempt_at" | "last_status" | "last_error"> | undefined;
  readonly pending: number;
}

/** In the order of their names. */
export async function listWebhooks(
  db: MainDb,
  { search, skip, limit }: { readonly search?: string | undefined; readonly skip: number; readonly limit: number },
): Promise<WebhookWithState[]> {
  let query = db.selectFrom("webhooks").selectAll().where("agent_id", "is", null);
  if (search !== undefined) query = query.where(contains("name_key", search));
  return withState(db, await query.orderBy("name_key").orderBy("id").offset(skip).limit(limit).execute());
}

/** Best match first. */
export async function searchWebhooks(
  db: MainDb,
  terms: SearchTerms,
  limit: number,
): Promise<Pick<WebhookRow, "id" | "name" | "enabled">[]> {
  return db
    .selectFrom("webhooks")
    .select(["id", "name", "enabled"])
    .where("agent_id", "is", null)
    .where(containsAll("name_key", terms))
    .orderBy(matchRank(terms, { names: ["name_key"] }))
    .orderBy("name_key")
    .limit(limit)
    .execute();
}

export async function findWebhook(db: MainDb, id: string): Promise<WebhookRow | undefined> {
  return db.selectFrom("webhooks").selectAll().where("id", "=", id).where("agent_id", "is", null).executeTakeFirst();
}

export async function findWebhookWithState(db: MainDb, id: string): Promise<WebhookWithState | undefined> {
  const row = await findWebhook(db, id);
  return row && (await withState(db, [row]))[0];
}

export async function lockWebhook(tx: MainTransaction, id: string): Promise<WebhookRow | undefined> {
  return lockRows(tx, tx.selectFrom("webhooks").selectAll().where("id", "=", id)).executeTakeFirst();
}

export async function insertWebhook(tx: MainTransaction, row: WebhookRow): Promise<void> {
  // Concurrent creations wait for each other, so that none exceeds the limit.
  await lockRows(tx, tx.selectFrom("change_counter").selectAll().where("id", "=", 1)).execute();
  const { n } = await tx
    .selectFrom("webhooks")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("agent_id", "is", null)
    .executeTakeFirstOrThrow();
  if (Number(n) >= MOST_WEBHOOKS) throw invalid("name", `there are ${MOST_WEBHOOKS} webhooks; delete one first`);
  await tx.insertInto("webhooks").values(row).execute();
}

/** The webhook that gets the results of an agent. */
export async function findAgentWebhook(db: MainDb, agentId: string): Promise<WebhookRow | undefined> {
  return db.selectFrom("webhooks").selectAll().where("agent_id", "=", agentId).executeTakeFirst();
}

/** Replaces the webhook of an agent, with the deliveries that wait. */
export async function replaceAgentWebhook(
  tx: MainTransaction,
  agentId: string,
  row: WebhookRow | undefined,
): Promise<void> {
  await tx.deleteFrom("webhooks").where("agent_id", "=", agentId).execute();
  if (row) await tx.insertInto("webhooks").values(row).execute();
}

type WebhookChanges = { readonly [Field in keyof Omit<WebhookRow, "id">]?: WebhookRow[Field] | undefined };

/** Undefined fields keep their values. */
export async function updateWebhook(tx: MainTransaction, id: string, changes: WebhookChanges): Promise<void> {
  await tx.updateTable("webhooks").set(changes).where("id", "=", id).execute();
}

/** Its deliveries and their attempts are deleted too. */
export async function deleteWebhook(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("webhooks").where("id", "=", id).execute();
}

/** Whether an enabled webhook subscribes to one of these events. */
export async function isSubscribed(db: MainDb, types: readonly WebhookEventType[]): Promise<boolean> {
  const rows = await db.selectFrom("webhooks").select("events").where("enabled", "=", true).execute();
  return rows.some(({ events }) => types.some((type) => events.includes(type)));
}

export async function forgetPreviousSecrets(db: MainDb, now: number): Promise<void> {
  await db
    .updateTable("webhooks")
    .set({ sealed_previous_secret: null, previous_secret_expires_at: null })
    .where("previous_secret_expires_at", "<=", now)
    .execute();
}

async function withState(db: MainDb, rows: readonly WebhookRow[]): Promise<WebhookWithState[]> {
  const states = await Promise.all(rows.map(({ id }) => stateOf(db, id)));
  return rows.map((row, at) => ({ ...row, last: undefined, pending: 0, ...states[at] }));
}

async function stateOf(db: MainDb, webhookId: string): Promise<Pick<WebhookWithState, "last" | "pending">> {
  const deliveries = db.selectFrom("webhook_deliveries").where("webhook_id", "=", webhookId);
  const last = await deliveries
    .select(["status", "last_attempt_at", "last_status", "last_error"])
    .where("attempts", ">", 0)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const { n } = await deliveries
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("status", "=", "pending")
    .executeTakeFirstOrThrow();
  return { last, pending: Number(n) };
}
