import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp, updatedAt } from "#api/kit/answers";
import { choice, flag, requiredText, text, webUrl } from "#api/kit/body-fields";
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from "#lib/webhook-events";
import { isWebhookSecret, type WebhookWithState } from "#records/webhooks";
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from "#storage/webhook-tables";
import { bodyOf } from "#webhooks/message";

export const FORMATS = ["json", "slack"] as const;
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
const FORMAT_DESCRIPTION =
  "`json`: the event, signed as Standard Webhooks describes; `slack`: a message that Slack and compatible services display";
const EXAMPLE_EVENTS = ["server.unhealthy", "server.healthy"] as const;

const events = z
  .array(
    z.enum(WEBHOOK_EVENT_TYPES, {
      error: ({ input }) => `unknown event ${JSON.stringify(input ?? null).slice(0, 100)}`,
    }),
    { error: (issue) => (issue.input === undefined ? "events is required" : "must be an array") },
  )
  .min(1, { error: "must contain at least one event" })
  .max(100, { error: "must contain at most 100 events" })
  .transform((list) => WEBHOOK_EVENT_TYPES.filter((type) => list.includes(type)))
  .describe(
    `The events to send. ${WEBHOOK_EVENTS.map(({ type, description }) => `\`${type}\`: ${description}`).join(". ")}`,
  );
const secret = text(200)
  .refine(isWebhookSecret, { error: "must be whsec_ followed by 24 to 64 bytes in base64" })
  .meta({
    description: "The signing secret, `whsec_` followed by 24 to 64 bytes in base64. It is never returned",
    writeOnly: true,
  });
const fields = {
  name: requiredText("name", 100).describe("Name of the webhook, unique regardless of case"),
  url: webUrl().describe("The receiver. Private addresses need `EGRESS_ALLOW`; redirects are not followed"),
  events,
  format: choice(FORMATS).describe(FORMAT_DESCRIPTION),
  enabled: flag().describe("Whether events are sent. Enabling a webhook also clears why it was disabled"),
};

export const CreateWebhookBody = z
  .object({
    ...fields,
    url: z
      .unknown()
      .refine((value) => value !== undefined, { error: "url is required" })
      .pipe(fields.url)
      .meta({ description: "The receiver. Private addresses need `EGRESS_ALLOW`; redirects are not followed" }),
    format: fields.format.default("json"),
    enabled: fields.enabled.default(true),
    secret: secret.optional(),
  })
  .meta({
    id: "CreateWebhook",
    description: "A webhook to create. Without a secret, one is generated and returned once",
    example: { name: "On-call", url: "https://hooks.example.com/gatehouse", events: [...EXAMPLE_EVENTS] },
  });

export const UpdateWebhookBody = z
  .object({
    ...fields,
    secret: secret.meta({
      description: "Replaces the secret immediately. To keep the old one for a while, rotate it",
      writeOnly: true,
    }),
  })
  .partial()
  .meta({ id: "UpdateWebhook", description: "Fields to change", example: { enabled: false } });

const MAX_OVERLAP_HOURS = 7 * 24;
export const RotateWebhookSecretBody = z
  .object({
    secret: secret.optional(),
    overlap_hours: z
      .int({ error: "must be an integer" })
      .min(0, { error: `must be between 0 and ${MAX_OVERLAP_HOURS}` })
      .max(MAX_OVERLAP_HOURS, { error: `must be between 0 and ${MAX_OVERLAP_HOURS}` })
      .default(24)
      .describe("How long requests are also signed with the old secret"),
  })
  .meta({ id: "RotateWebhookSecret", description: "How to rotate", example: { overlap_hours: 24 } });

const LastDelivery = z.object({
  status: z.enum(DELIVERY_STATUSES).describe("`pending`: it is retried"),
  at: timestamp("When it was last attempted"),
  response_status: z.int().nullable().meta({ description: "HTTP status; null: no response", example: 200 }),
  error: z.string().nullable().describe("Why the attempt failed; null if it succeeded"),
});

export const Webhook = z
  .object({
    id: recordId("whk"),
    name: z.string().meta({ description: "Name of the webhook", example: "On-call" }),
    url: z.string().meta({ description: "The receiver", example: "https://hooks.example.com/gatehouse" }),
    events: z.array(z.string()).meta({ description: "The events that are sent", example: [...EXAMPLE_EVENTS] }),
    format: z.enum(FORMATS).describe(FORMAT_DESCRIPTION),
    enabled: z.boolean().describe("Whether events are sent"),
    previous_secret_expires_at: timestamp("Until when requests are also signed with the old secret").nullable(),
    failing_since: timestamp("The first failed attempt since the last successful one").nullable(),
    disabled_reason: z
      .enum(["failing", "gone"])
      .nullable()
      .describe(
        "Why it was disabled automatically. `failing`: no attempt succeeded for 5 days; `gone`: the receiver responded with status 410",
      ),
    disabled_at: timestamp("When it was disabled automatically").nullable(),
    last_delivery: LastDelivery.nullable().describe("The newest event that was attempted"),
    pending_deliveries: z.int().meta({ description: "Number of events that wait for an attempt", example: 0 }),
    created_by: z.string().meta({ description: "Who created it", example: "ada@example.com" }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "Webhook", description: "A receiver of events, without its secret" });

export function presentWebhook(row: WebhookWithState, now: number): z.input<typeof Webhook> {
  const { last, previous_secret_expires_at: expiresAt } = row;
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    format: row.format,
    enabled: row.enabled,
    previous_secret_expires_at: expiresAt !== null && expiresAt > now ? isoTime(expiresAt) : null,
    failing_since: timeOrNull(row.failing_since),
    disabled_reason: row.disabled_reason,
    disabled_at: timeOrNull(row.disabled_at),
    last_delivery:
      last?.last_attempt_at == null
        ? null
        : {
            status: last.status,
            at: isoTime(last.last_attempt_at),
            response_status: last.last_status,
            error: last.last_error,
          },
    pending_deliveries: row.pending,
    created_by: row.created_by,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/**
 * For the audit log. Anyone who knows the URL of a Slack webhook can post to its channel, and other services expect a
 * token in the query, so these parts are left out.
 */
export function auditedWebhook({ name, url, events: types, format, enabled }: WebhookRow): object {
  const shown = format === "slack" ? url.replace(/[^/]*$/, "…") : url.replace(/\?.*$/, "?…");
  return { name, url: shown, events: types, format, enabled };
}

export const WebhookDelivery = z
  .object({
    id: recordId("whd"),
    event_id: recordId("evt", "The ID in the header `webhook-id`, the same for every attempt"),
    event: z.string().meta({ description: "Type of the event", example: "server.unhealthy" }),
    status: z
      .enum(DELIVERY_STATUSES)
      .describe("`pending`: it waits for its next attempt; `failed`: all attempts failed"),
    attempts: z.int().meta({ description: "Number of attempts", example: 1 }),
    last_attempt_at: timestamp("When it was last attempted").nullable(),
    next_attempt_at: timestamp("When it is attempted next; null: no further attempt").nullable(),
    response_status: z.int().nullable().meta({ description: "HTTP status of the last attempt", example: 200 }),
    error: z.string().nullable().describe("Why the last attempt failed; null if it succeeded"),
    created_at: timestamp("When the event occurred"),
  })
  .meta({ id: "WebhookDelivery", description: "One event for one webhook" });

const Attempt = z.object({
  at: timestamp("When the request was sent"),
  duration_ms: z.int().meta({ description: "Duration in milliseconds", example: 84 }),
  response_status: z.int().nullable().meta({ description: "HTTP status; null: no response", example: 500 }),
  error: z.string().nullable().describe("Why it failed; null if it succeeded"),
  response: z.string().nullable().describe("The first 1,000 characters of the response; null: none"),
});

export const WebhookDeliveryDetail = WebhookDelivery.extend({
  request_body: z.string().meta({
    description: "The body of the request, exactly as it is signed",
    example: '{"type":"server.healthy","timestamp":"2027-01-31T09:30:00.000Z","data":{}}',
  }),
  attempt_log: z.array(Attempt).describe("The newest 50 attempts, oldest first"),
}).meta({ id: "WebhookDeliveryDetail", description: "A delivery with its request and attempts" });

export function presentDelivery(row: WebhookDeliveryRow): z.input<typeof WebhookDelivery> {
  return {
    id: row.id,
    event_id: row.event_id,
    event: row.event_type,
    status: row.status,
    attempts: row.attempts,
    last_attempt_at: timeOrNull(row.last_attempt_at),
    next_attempt_at: row.status === "pending" ? isoTime(row.due_at) : null,
    response_status: row.last_status,
    error: row.last_error,
    created_at: isoTime(row.at),
  };
}

export function presentDeliveryDetail(
  row: WebhookDeliveryRow,
  attempts: readonly WebhookAttemptRow[],
  baseUrl: string,
): z.input<typeof WebhookDeliveryDetail> {
  return {
    ...presentDelivery(row),
    request_body: bodyOf(row, baseUrl),
    attempt_log: attempts.map(({ at, duration_ms, status, error, response }) => ({
      at: isoTime(at),
      duration_ms,
      response_status: status,
      error,
      response,
    })),
  };
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}
