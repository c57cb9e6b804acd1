-- Receivers of events. Both secrets are sealed; the previous one signs too until it expires.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  url TEXT NOT NULL,
  events JSON NOT NULL,
  format TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  sealed_secret TEXT NOT NULL,
  sealed_previous_secret TEXT,
  previous_secret_expires_at BIGINT,
  failing_since BIGINT,
  disabled_reason TEXT,
  disabled_at BIGINT,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX webhooks_name_key ON webhooks (name_key);

-- One event for one webhook, written in the transaction of its cause. A process that sends it moves due_at ahead, so
-- that another process takes over if it dies.
CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  payload TEXT NOT NULL,
  format TEXT NOT NULL,
  status TEXT NOT NULL,
  at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  claimed_by TEXT,
  round_attempts BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  last_attempt_at BIGINT,
  last_status BIGINT,
  last_error TEXT
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, at, id);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (at, id);

CREATE TABLE webhook_attempts (
  id TEXT PRIMARY KEY,
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  at BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  status BIGINT,
  error TEXT,
  response TEXT
);
CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery_id, at, id);
