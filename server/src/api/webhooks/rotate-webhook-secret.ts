import { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import {
  findWebhookWithState,
  lockWebhook,
  newWebhookSecret,
  openWebhookSecrets,
  sealWebhookSecret,
  updateWebhook,
} from "#records/webhooks";
import type { Vault } from "#storage/vault";
import type { WebhookRow } from "#storage/webhook-tables";
import { presentWebhook, RotateWebhookSecretBody, Webhook } from "./schema.ts";

const HOUR_MS = 60 * 60 * 1000;

/** F50. */
export const rotateWebhookSecret = write({
  id: "rotateWebhookSecret",
  route: "POST /api/webhooks/{id}/rotate-secret",
  tag: "Webhooks",
  summary: "Rotate the secret of a webhook",
  description:
    "Until the overlap ends, each request has two signatures, so receivers can change their secret at any time. A rotation during an overlap ends the oldest secret.",
  scope: "admin:write",
  path: { id: pathParameter("The webhook's ID", "whk_01kc5v6q3zt9x4m2e8h7d5n1pw") },
  body: RotateWebhookSecretBody,
  bodyIsOptional: true,
  answers: {
    200: z.object({
      data: Webhook,
      secret: z.string().optional().meta({
        description:
          "The generated signing secret, which cannot be retrieved later. Omitted if the request contains one, or when an idempotent request is repeated",
        example: "whsec_…",
      }),
    }),
  },
  refusals: [400, 404],
  onCrash: "Failed to rotate secret",
  shownOnce: ["secret"],
  async run({ tx, trail, path, body, context }) {
    const row = await lockWebhook(tx, path.id);
    if (!row) throw notFound.webhook();
    const now = context.clock.now();
    const secret = body.secret ?? newWebhookSecret(context.random);
    const previous = keptSecret(context.vault, row, body.overlap_hours, now);
    await updateWebhook(tx, row.id, {
      sealed_secret: sealWebhookSecret(context.vault, row.id, secret, "sealed_secret"),
      ...previous,
      updated_at: now,
    });
    const { previous_secret_expires_at: expiresAt } = previous;
    trail.audit({
      operation: "rotateWebhookSecret",
      target: { kind: "webhook", id: row.id, name: row.name },
      after: { previous_secret_expires_at: expiresAt === null ? null : isoTime(expiresAt) },
    });
    const rotated = await findWebhookWithState(tx, row.id);
    if (!rotated) throw notFound.webhook();
    const data = presentWebhook(rotated, now);
    return { status: 200, body: { data, ...(body.secret === undefined && { secret }) } };
  },
});

/** The current secret moves to the column of the previous one, which it is sealed for. */
function keptSecret(vault: Vault, row: WebhookRow, overlapHours: number, now: number) {
  if (overlapHours === 0) return { sealed_previous_secret: null, previous_secret_expires_at: null };
  const [current = ""] = openWebhookSecrets(vault, row, now);
  return {
    sealed_previous_secret: sealWebhookSecret(vault, row.id, current, "sealed_previous_secret"),
    previous_secret_expires_at: now + overlapHours * HOUR_MS,
  };
}
