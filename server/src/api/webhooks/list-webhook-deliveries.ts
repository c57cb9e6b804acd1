import { z } from "zod";
import { TimePagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, limitParameter, pathParameter, textParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { TEST_EVENT, WEBHOOK_EVENT_TYPES } from "#lib/webhook-events";
import { findWebhook, listDeliveries } from "#records/webhooks";
import { DELIVERY_STATUSES, presentDelivery, WebhookDelivery } from "./schema.ts";

/** F50. */
export const listWebhookDeliveries = read({
  id: "listWebhookDeliveries",
  route: "GET /api/webhooks/{id}/deliveries",
  tag: "Webhooks",
  summary: "List the deliveries of a webhook, newest first",
  description: "Deliveries are kept for 30 days, and at most 10,000 per webhook.",
  scope: "admin:read",
  path: { id: pathParameter("The webhook's ID", "whk_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  query: {
    status: choiceParameter("Only deliveries with this status", DELIVERY_STATUSES),
    event: choiceParameter("Only deliveries of this event", [...WEBHOOK_EVENT_TYPES, TEST_EVENT]),
    cursor: textParameter("The `nextCursor` of the previous page"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(WebhookDelivery), pagination: TimePagination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve deliveries",
  async run({ db, path, query: { status, event, cursor, limit } }) {
    if (!(await findWebhook(db, path.id))) throw notFound.webhook();
    const { rows, nextCursor } = await listDeliveries(db, { webhookId: path.id, status, event }, { limit, cursor });
    const pagination = { limit, hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? null };
    return { status: 200, body: { data: rows.map(presentDelivery), pagination } };
  },
});
