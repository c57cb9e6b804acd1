import { newDelivery } from "#storage/event-outbox";
import type { McpServerRow } from "#storage/server-tables";
import type { WebhookRow } from "#storage/webhook-tables";
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

/** A webhook whose secret cannot be opened, for tests that send nothing. */
export function newWebhookRow(id: string, events: string[]): WebhookRow {
  return {
    ...{ id, name: id, name_key: id, url: "https://hooks.example.com/", events, format: "json", enabled: true },
    ...{ sealed_secret: "", sealed_previous_secret: null, previous_secret_expires_at: null, failing_since: null },
    ...{
      disabled_reason: null,
      disabled_at: null,
      agent_id: null,
      created_by: "ada@example.com",
      created_at: 1,
      updated_at: 1,
    },
  };
}

export function newServerRow(id: string, slug: string, status: McpServerRow["status"]): McpServerRow {
  return {
    ...{ id, slug, name: slug, description: "", search_text: slug, status, auth_type: "none", auth_settings: {} },
    ...{ connector_id: null, upstream_url: "https://mcp.example.com/", upstream_transport: null, is_local: false },
    ...{ eras: [], sync_tried_at: null, tools_synced_at: null, sync_error: null, tool_policy: "warn" },
    ...{ sealed_client_secret: null, sealed_shared_headers: null, created_at: 1, updated_at: 1 },
  };
}
