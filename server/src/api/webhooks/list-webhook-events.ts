import { z } from "zod";
import { read } from "#api/kit/operation";
import { WEBHOOK_EVENTS } from "#lib/webhook-events";

const WebhookEvent = z
  .object({
    type: z.string().meta({ description: "The name of the event", example: "server.unhealthy" }),
    group: z.string().meta({ description: "Heading for related events", example: "Servers" }),
    title: z.string().meta({ description: "A short label", example: "Server unhealthy" }),
    description: z.string().meta({ description: "When it is sent", example: "Syncs of an active server fail" }),
    available: z.boolean().meta({ description: "Whether this release sends it", example: true }),
  })
  .meta({ id: "WebhookEvent", description: "An event that webhooks can subscribe to" });

/** F50. */
export const listWebhookEvents = read({
  id: "listWebhookEvents",
  route: "GET /api/webhook-events",
  tag: "Webhooks",
  summary: "List the events that webhooks can subscribe to",
  scope: "admin:read",
  answers: { 200: z.object({ data: z.array(WebhookEvent) }) },
  refusals: [],
  onCrash: "Failed to retrieve events",
  async run() {
    return { status: 200, body: { data: WEBHOOK_EVENTS.map((event) => ({ ...event })) } };
  },
});
