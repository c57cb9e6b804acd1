import { z } from "zod";
import { write } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { fold } from "#lib/fold";
import { findWebhookWithState, lockWebhook, sealWebhookSecret, updateWebhook as updateRow } from "#records/webhooks";
import { requireReachable } from "./require-reachable.ts";
import { auditedWebhook, presentWebhook, UpdateWebhookBody, Webhook } from "./schema.ts";

const ENABLED = { failing_since: null, disabled_reason: null, disabled_at: null };

/** F50. */
export const updateWebhook = write({
  id: "updateWebhook",
  route: "PATCH /api/webhooks",
  tag: "Webhooks",
  summary: "Update a webhook",
  description:
    "Omitted fields keep their values. While a webhook is disabled, new events are not stored for it, and its pending events wait.",
  scope: "admin:write",
  query: { id: targetParameter("The webhook's ID", "whk_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  body: UpdateWebhookBody,
  answers: { 200: z.object({ data: Webhook }) },
  refusals: [400, 404, 409],
  onCrash: "Failed to update webhook",
  async run({ tx, trail, query, body, context, afterCommit }) {
    const row = await lockWebhook(tx, query.id);
    if (!row) throw notFound.webhook();
    if (body.url !== undefined) requireReachable(context, body.url);
    const { secret, ...fields } = body;
    const now = context.clock.now();
    await updateRow(tx, row.id, {
      ...fields,
      ...(fields.name !== undefined && { name_key: fold(fields.name) }),
      ...(fields.enabled && ENABLED),
      ...(secret !== undefined && {
        sealed_secret: sealWebhookSecret(context.vault, row.id, secret, "sealed_secret"),
        sealed_previous_secret: null,
        previous_secret_expires_at: null,
      }),
      updated_at: now,
    });
    const updated = await findWebhookWithState(tx, row.id);
    if (!updated) throw notFound.webhook();
    trail.audit({
      operation: "updateWebhook",
      target: { kind: "webhook", id: row.id, name: updated.name },
      before: auditedWebhook(row),
      after: { ...auditedWebhook(updated), ...(secret !== undefined && { secret_replaced: true }) },
    });
    afterCommit(() => context.webhooks.wake());
    return { status: 200, body: { data: presentWebhook(updated, now) } };
  },
});
