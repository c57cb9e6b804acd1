import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findWebhookWithState } from "#records/webhooks";
import { presentWebhook, Webhook } from "./schema.ts";

/** F50. */
export const getWebhook = read({
  id: "getWebhook",
  route: "GET /api/webhooks/{id}",
  tag: "Webhooks",
  summary: "Get a webhook",
  scope: "admin:read",
  path: { id: lastSegmentParameter("The webhook's ID", "whk_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  answers: { 200: z.object({ data: Webhook }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve webhook",
  async run({ db, path, context }) {
    const row = await findWebhookWithState(db, path.id);
    if (!row) throw notFound.webhook();
    return { status: 200, body: { data: presentWebhook(row, context.clock.now()) } };
  },
});
