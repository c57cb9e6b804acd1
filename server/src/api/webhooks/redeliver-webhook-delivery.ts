import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, Refusal } from "#lib/errors";
import { findDelivery, isClaimed, lockDelivery, lockWebhook, redeliver } from "#records/webhooks";
import { presentDelivery, WebhookDelivery } from "./schema.ts";

/** F50. */
export const redeliverWebhookDelivery = write({
  id: "redeliverWebhookDelivery",
  route: "POST /api/webhooks/{id}/deliveries/{delivery_id}/redeliver",
  tag: "Webhooks",
  summary: "Send an event again",
  description:
    "Sends the event within seconds, with the same `webhook-id`, and repeats it like a new one if it fails. The webhook must be enabled.",
  scope: "admin:write",
  path: {
    id: pathParameter("The webhook's ID", "whk_01kc5v6q3zt9x4m2e8h7d5n1pw"),
    delivery_id: pathParameter("The delivery's ID", "whd_01kc5v6q3zt9x4m2e8h7d5n1pw"),
  },
  answers: { 200: z.object({ data: WebhookDelivery }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to redeliver event",
  async run({ tx, trail, path, context, afterCommit }) {
    const webhook = await lockWebhook(tx, path.id);
    if (!webhook) throw notFound.webhook();
    const row = await lockDelivery(tx, webhook.id, path.delivery_id);
    if (!row) throw notFound.webhookDelivery();
    const now = context.clock.now();
    if (!webhook.enabled) throw new Refusal("conflict", "The webhook is disabled. Enable it, then redeliver the event");
    if (isClaimed(row, now)) throw new Refusal("conflict", "The event is being sent. Wait for the result");
    await redeliver(tx, row.id, now);
    trail.audit({
      operation: "redeliverWebhookDelivery",
      target: { kind: "webhook", id: webhook.id, name: webhook.name },
      before: { delivery_id: row.id, event: row.event_type, status: row.status },
      after: { delivery_id: row.id, event: row.event_type, status: "pending" },
    });
    afterCommit(() => context.webhooks.wake());
    const again = await findDelivery(tx, webhook.id, row.id);
    if (!again) throw notFound.webhookDelivery();
    return { status: 200, body: { data: presentDelivery(again) } };
  },
});
