import type { Operation } from "#api/kit/operation";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { getWebhook } from "./get-webhook.ts";
import { getWebhookDelivery } from "./get-webhook-delivery.ts";
import { listWebhookDeliveries } from "./list-webhook-deliveries.ts";
import { listWebhookEvents } from "./list-webhook-events.ts";
import { listWebhooks } from "./list-webhooks.ts";
import { redeliverWebhookDelivery } from "./redeliver-webhook-delivery.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { testWebhook } from "./test-webhook.ts";
import { updateWebhook } from "./update-webhook.ts";

/** In document order. */
export const webhookOperations: readonly Operation[] = [
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  getWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhookDelivery,
  listWebhookEvents,
];
