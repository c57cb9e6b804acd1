import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter, pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { attemptsOf, findDelivery } from "#records/webhooks";
import { presentDeliveryDetail, WebhookDeliveryDetail } from "./schema.ts";

/** F50. */
export const getWebhookDelivery = read({
  id: "getWebhookDelivery",
  route: "GET /api/webhooks/{id}/deliveries/{delivery_id}",
  tag: "Webhooks",
  summary: "Get a delivery with its request and attempts",
  scope: "admin:read",
  path: {
    id: pathParameter("The webhook's ID", "whk_01kc5v6q3zt9x4m2e8h7d5n1pw"),
    delivery_id: lastSegmentParameter("The delivery's ID", "whd_01kc5v6q3zt9x4m2e8h7d5n1pw"),
  },
  answers: { 200: z.object({ data: WebhookDeliveryDetail }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve delivery",
  async run({ db, path, context }) {
    const row = await findDelivery(db, path.id, path.delivery_id);
    if (!row) throw notFound.webhookDelivery();
    return { status: 200, body: { data: presentDeliveryDetail(row, await attemptsOf(db, row.id), context.baseUrl) } };
  },
});
