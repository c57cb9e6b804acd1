import { queryOptions } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import type { Tone } from "../../components/tone.ts";

export type Webhook = Schemas["Webhook"];
export type Delivery = Schemas["WebhookDelivery"];
export type DeliveryDetail = Schemas["WebhookDeliveryDetail"];
export type WebhookEvent = Schemas["WebhookEvent"];
export type EventType = Schemas["CreateWebhook"]["events"][number];
export type DeliveryStatus = Delivery["status"];

export const webhooksKey = ["webhooks"] as const;

export function fetchWebhooks(api: Api, search: string | undefined, skip: number, signal: AbortSignal) {
  return api.listWebhooks({ query: { search, skip, limit: 100 }, signal });
}

export function eventsQuery(api: Api) {
  return queryOptions({
    queryKey: ["webhook-events"],
    queryFn: async ({ signal }) => (await api.listWebhookEvents({ signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const TEST_EVENT = "webhook.test";

/** "Server unhealthy" for `server.unhealthy`. */
export function eventTitle(events: readonly WebhookEvent[] | undefined, type: string): string {
  if (type === TEST_EVENT) return "Test event";
  return events?.find((event) => event.type === type)?.title ?? type;
}

export const DELIVERY_LABELS: Readonly<Record<DeliveryStatus, { readonly label: string; readonly tone: Tone }>> = {
  delivered: { label: "Delivered", tone: "good" },
  pending: { label: "Pending", tone: "info" },
  failed: { label: "Failed", tone: "bad" },
};

/** A pending delivery that failed before is being retried. */
export function deliveryLabel({ status, error }: { readonly status: DeliveryStatus; readonly error: string | null }) {
  return status === "pending" && error !== null
    ? ({ label: "Retrying", tone: "warn" } as const)
    : DELIVERY_LABELS[status];
}

/** The state of a webhook: enabled, or why it is not. */
export function webhookState({ enabled, disabled_reason: reason, failing_since: since }: Webhook) {
  if (!enabled) {
    return reason === null
      ? ({ label: "Disabled", tone: "quiet" } as const)
      : ({ label: "Disabled: failing", tone: "bad" } as const);
  }
  return since === null ? ({ label: "Enabled", tone: "good" } as const) : ({ label: "Failing", tone: "warn" } as const);
}
