export {
  addAttempt,
  attemptsOf,
  type Claim,
  claimDeliveries,
  deleteDeliveriesBefore,
  findDelivery,
  insertDelivery,
  isClaimed,
  listDeliveries,
  lockDelivery,
  markDelivered,
  redeliver,
  releaseClaim,
  trimDeliveries,
  webhooksWithDue,
} from "./deliveries.ts";
export {
  forgetReported,
  reportHealthy,
  reportUnhealthy,
  serversReported,
  type UnhealthyStatus,
} from "./reported-health.ts";
export { isWebhookSecret, newWebhookSecret, openWebhookSecrets, sealWebhookSecret } from "./secrets.ts";
export {
  deleteWebhook,
  findWebhook,
  findWebhookWithState,
  forgetPreviousSecrets,
  insertWebhook,
  isSubscribed,
  listWebhooks,
  lockWebhook,
  MOST_WEBHOOKS,
  searchWebhooks,
  updateWebhook,
  type WebhookWithState,
} from "./store.ts";
