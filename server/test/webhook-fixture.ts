import { newDelivery } from "#storage/event-outbox";
import type { ApiUnderTest } from "./api.ts";

/** Creates the webhooks Standing and Deleted. Returns the ID of the second, which has a failed delivery with this ID. */
export async function createWebhookWithDelivery(api: ApiUnderTest, fields: object, id: string): Promise<string> {
  await api.call("POST", "/api/webhooks", { ...fields, name: "Standing" });
  const { body } = await api.call("POST", "/api/webhooks", { ...fields, name: "Deleted" });
  const event = { event_id: "evt_1", event_type: "tools.held", payload: '{"data":{}}', format: "json", at: 1 } as const;
  const row = newDelivery({ ...event, id, webhook_id: body.data.id });
  await api.db
    .insertInto("webhook_deliveries")
    .values({ ...row, status: "failed" })
    .execute();
  return body.data.id;
}
