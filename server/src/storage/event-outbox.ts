import type { NewId } from "#lib/ids";
import { redactText } from "#lib/logger";
import type { WebhookEventType } from "#lib/webhook-events";
import type { MainTransaction } from "./database.ts";
import type { WebhookDeliveryRow } from "./webhook-tables.ts";

/** An event for webhooks. `data` has no secrets; long texts and lists in it are cut. */
export interface EmittedEvent {
  readonly type: WebhookEventType;
  readonly data: object;
  /** The agent that the event is about. Its own webhook gets the event too. */
  readonly agentId?: string | undefined;
  /** Only the webhook of the agent gets the event. */
  readonly isForAgentOnly?: boolean | undefined;
}

const MAX_TEXT = 2_000;
const MAX_ENTRIES = 50;
const MAX_DEPTH = 6;
const ROWS_PER_INSERT = 200;

/**
 * Writes one delivery for each enabled webhook that subscribes to an event, in the transaction of its cause. A rolled back
 * cause sends nothing, and a committed one is sent even if the process is killed.
 */
export async function insertDeliveries(
  tx: MainTransaction,
  events: readonly EmittedEvent[],
  newId: NewId,
  at: number,
): Promise<void> {
  if (events.length === 0) return;
  const webhooks = await tx
    .selectFrom("webhooks")
    .select(["id", "events", "format", "agent_id"])
    .where("enabled", "=", true)
    .execute();
  const rows = events.flatMap(({ type, data, agentId, isForAgentOnly = false }) => {
    const subscribed = webhooks.filter((webhook) =>
      webhook.agent_id === null ? !isForAgentOnly && webhook.events.includes(type) : webhook.agent_id === agentId,
    );
    if (subscribed.length === 0) return [];
    const event = { event_id: newId("evt"), event_type: type, payload: payloadOf(type, data, at) };
    return subscribed.map(({ id, format }) => newDelivery({ ...event, id: newId("whd"), webhook_id: id, format, at }));
  });
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("webhook_deliveries")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
}

/** Standard Webhooks: `{type, timestamp, data}`. */
export function payloadOf(type: string, data: object, at: number): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: bound(data) });
}

type NewDelivery = Pick<
  WebhookDeliveryRow,
  "id" | "webhook_id" | "event_id" | "event_type" | "payload" | "format" | "at"
>;

export function newDelivery(delivery: NewDelivery): WebhookDeliveryRow {
  return {
    ...delivery,
    status: "pending",
    due_at: delivery.at,
    claimed_by: null,
    round_attempts: 0,
    attempts: 0,
    last_attempt_at: null,
    last_status: null,
    last_error: null,
  };
}

/** Names and messages come from people and servers, so their length is limited and secrets in them are removed. */
function bound(value: unknown, depth = 0): unknown {
  if (typeof value === "string") {
    const text = redactText(value.toWellFormed());
    return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => bound(entry, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, bound(entry, depth + 1)]));
}
