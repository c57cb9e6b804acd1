export interface WebhookRow {
  id: string;
  name: string;
  /** Folded, so that names are unique regardless of case. */
  name_key: string;
  url: string;
  events: string[];
  format: "json" | "slack";
  enabled: boolean;
  sealed_secret: string;
  sealed_previous_secret: string | null;
  previous_secret_expires_at: number | null;
  /** The first failed attempt since the last successful one. */
  failing_since: number | null;
  /** Why it was disabled automatically. Null: it was not. */
  disabled_reason: "failing" | "gone" | null;
  disabled_at: number | null;
  /** The agent whose results it gets. Null: a webhook of the organization. */
  agent_id: string | null;
  created_by: string;
  created_at: number;
  updated_at: number;
}

export interface WebhookDeliveryRow {
  id: string;
  webhook_id: string;
  /** The ID in the header `webhook-id`, the same for every webhook and every attempt. */
  event_id: string;
  event_type: string;
  /** JSON of `{type, timestamp, data}`. */
  payload: string;
  /** The format of the last attempt. */
  format: WebhookRow["format"];
  status: "pending" | "delivered" | "failed";
  at: number;
  /** When a process may send it. While one does, this is when its claim expires. */
  due_at: number;
  /** The process that sends it. Null: none. */
  claimed_by: string | null;
  /** Attempts since it was created or redelivered; selects the delay before the next one. */
  round_attempts: number;
  attempts: number;
  last_attempt_at: number | null;
  last_status: number | null;
  last_error: string | null;
}

export interface WebhookAttemptRow {
  id: string;
  delivery_id: string;
  at: number;
  duration_ms: number;
  /** The HTTP status. Null: no response. */
  status: number | null;
  /** Null: delivered. */
  error: string | null;
  /** The first characters of the response. */
  response: string | null;
}

interface ReportedHealthRow {
  server_id: string;
  status: "unreachable" | "failing";
  reported_at: number;
}

export interface WebhookTables {
  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;
  webhook_attempts: WebhookAttemptRow;
  reported_health: ReportedHealthRow;
}
