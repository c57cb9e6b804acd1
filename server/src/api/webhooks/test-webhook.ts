import { z } from "zod";
import { action } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { attemptsOf, findDelivery } from "#records/webhooks";
import { presentDeliveryDetail, WebhookDeliveryDetail } from "./schema.ts";

/** F50. */
export const testWebhook = action({
  id: "testWebhook",
  route: "POST /api/webhooks/{id}/test",
  tag: "Webhooks",
  summary: "Send a test event",
  description:
    "Sends an event of the type `webhook.test` and returns the result, also if the webhook is disabled. It is not retried.",
  scope: "admin:write",
  path: { id: pathParameter("The webhook's ID", "whk_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  answers: { 200: z.object({ data: WebhookDeliveryDetail }) },
  refusals: [400, 404],
  onCrash: "Failed to test webhook",
  async run({ db, path, actor, requestId, address, context }) {
    const deliveryId = await context.webhooks.sendTest(path.id, { actor, requestId, address }, actor.name);
    const row = deliveryId && (await findDelivery(db, path.id, deliveryId));
    if (!row) throw notFound.webhook();
    return { status: 200, body: { data: presentDeliveryDetail(row, await attemptsOf(db, row.id), context.baseUrl) } };
  },
});
