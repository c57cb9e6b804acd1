import type { MainDb } from "#storage/database";
import { newDelivery, payloadOf } from "#storage/event-outbox";
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookRow } from "#storage/webhook-tables";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const GITHUB = { slug: "github", name: "GitHub" };
const EVENTS: readonly [type: string, data: object, status: WebhookDeliveryRow["status"], httpStatus: number | null][] =
  [
    [
      "security.alert",
      {
        title: "An API token with all scopes was created",
        actor: { type: "user", name: "olivia@acme.example" },
        target: { type: "api-token", id: "tok_1", name: "Terraform" },
      },
      "pending",
      503,
    ],
    ["server.healthy", { server: GITHUB, status: "healthy" }, "delivered", 200],
    [
      "server.unhealthy",
      { server: GITHUB, status: "unreachable", message: "DNS lookup failed for api.githubcopilot.com" },
      "delivered",
      200,
    ],
    ["tools.held", { server: GITHUB, total: 2, tools: [{ name: "create_issue" }, { name: "search" }] }, "failed", null],
    ["webhook.test", { message: "olivia@acme.example sent this event to test the webhook On-call" }, "delivered", 204],
  ];

/** Webhooks with fixed IDs and a delivery log, as rows: their receivers do not exist. */
export async function seedWebhooks(db: MainDb, now: number): Promise<void> {
  const webhook = (id: string, name: string, changes: Partial<WebhookRow> = {}): WebhookRow => ({
    ...{
      id,
      name,
      name_key: name.toLowerCase(),
      url: `https://hooks.acme.example/${id}`,
      format: "json",
      enabled: true,
    },
    // Nothing that happens while the data is seeded, because the receivers do not exist.
    events: ["tools.held", "access.requested"],
    ...{ sealed_secret: "", sealed_previous_secret: null, previous_secret_expires_at: null, failing_since: null },
    ...{ disabled_reason: null, disabled_at: null, agent_id: null, created_by: "olivia@acme.example" },
    ...{ created_at: now - 30 * DAY_MS, updated_at: now, ...changes },
  });
  await db
    .insertInto("webhooks")
    .values([
      webhook("whk_oncall", "On-call", { failing_since: now - MINUTE_MS }),
      webhook("whk_slack", "#it-help in Slack", { format: "slack", events: ["access.requested"] }),
      webhook("whk_tickets", "Ticket system", {
        ...{ enabled: false, disabled_reason: "failing", disabled_at: now - DAY_MS, failing_since: now - 6 * DAY_MS },
      }),
    ])
    .execute();
  for (const [index, [type, data, status, httpStatus]] of EVENTS.entries()) {
    const at = now - index * 37 * MINUTE_MS;
    const error =
      status === "delivered"
        ? null
        : httpStatus === null
          ? 'Host "hooks.acme.example" does not accept connections'
          : `The receiver responded with status ${httpStatus}`;
    const id = `whd_seed${index}`;
    const attempts = status === "failed" ? 11 : 1;
    await db
      .insertInto("webhook_deliveries")
      .values({
        ...newDelivery({
          ...{ id, webhook_id: "whk_oncall", event_id: `evt_seed${index}`, event_type: type, format: "json", at },
          payload: payloadOf(type, data, at),
        }),
        ...{ status, due_at: now + DAY_MS, attempts, last_attempt_at: at, last_status: httpStatus, last_error: error },
      })
      .execute();
    await db
      .insertInto("webhook_attempts")
      .values(attemptsOf(id, attempts, at, httpStatus, error))
      .execute();
  }
}

function attemptsOf(
  deliveryId: string,
  count: number,
  at: number,
  status: number | null,
  error: string | null,
): WebhookAttemptRow[] {
  return Array.from({ length: count }, (_, n) => ({
    ...{ id: `wha_${deliveryId}_${n}`, delivery_id: deliveryId, at: at + n * MINUTE_MS, duration_ms: 84 + n * 13 },
    ...{
      status,
      error,
      response: status === 503 ? '{"error":"maintenance until 10:00"}' : status === 200 ? "ok" : null,
    },
  }));
}
