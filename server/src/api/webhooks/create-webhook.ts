import { z } from "zod";
import { write } from "#api/kit/operation";
import { fold } from "#lib/fold";
import { insertWebhook, newWebhookSecret, sealWebhookSecret } from "#records/webhooks";
import type { WebhookRow } from "#storage/webhook-tables";
import { requireReachable } from "./require-reachable.ts";
import { auditedWebhook, CreateWebhookBody, presentWebhook, Webhook } from "./schema.ts";

/** F50. */
export const createWebhook = write({
  id: "createWebhook",
  route: "POST /api/webhooks",
  tag: "Webhooks",
  summary: "Create a webhook",
  description:
    "Sends events to a URL, signed as Standard Webhooks describes. Each event is sent at least once; a failed request is repeated within 10 seconds, and then less often for a day. The order of events is not guaranteed.",
  scope: "admin:write",
  body: CreateWebhookBody,
  answers: {
    201: z.object({
      data: Webhook,
      secret: z.string().optional().meta({
        description:
          "The generated signing secret, which cannot be retrieved later. Omitted if the request contains one, or when an idempotent request is repeated",
        example: "whsec_…",
      }),
    }),
  },
  refusals: [400],
  onCrash: "Failed to create webhook",
  shownOnce: ["secret"],
  async run({ tx, trail, body, actor, context }) {
    requireReachable(context, body.url);
    const { secret: given, ...fields } = body;
    const secret = given ?? newWebhookSecret(context.random);
    const id = context.newId("whk");
    const now = context.clock.now();
    const row: WebhookRow = {
      ...fields,
      id,
      name_key: fold(fields.name),
      sealed_secret: sealWebhookSecret(context.vault, id, secret, "sealed_secret"),
      sealed_previous_secret: null,
      previous_secret_expires_at: null,
      failing_since: null,
      disabled_reason: null,
      disabled_at: null,
      agent_id: null,
      created_by: actor.name,
      created_at: now,
      updated_at: now,
    };
    await insertWebhook(tx, row);
    const target = { kind: "webhook", id, name: row.name };
    trail.audit({ operation: "createWebhook", target, after: auditedWebhook(row) });
    const data = presentWebhook({ ...row, last: undefined, pending: 0 }, now);
    return { status: 201, body: { data, ...(given === undefined && { secret }) } };
  },
});
