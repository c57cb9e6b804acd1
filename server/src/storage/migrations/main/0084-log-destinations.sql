-- Receivers of the call log and the audit log (decision 0148). The secrets are sealed; config has the other fields of the kind.
CREATE TABLE log_destinations (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  kind TEXT NOT NULL,
  sources JSON NOT NULL,
  outcomes JSON,
  config JSON NOT NULL,
  sealed_secrets TEXT,
  enabled BOOLEAN NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX log_destinations_name_key ON log_destinations (name_key);

-- How far a source was shipped. The process that ships it holds the claim. "furthest" stays where it is after a rewind, so
-- that records which were shipped before are not counted as lost.
CREATE TABLE log_cursors (
  destination_id TEXT NOT NULL REFERENCES log_destinations (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  position BIGINT NOT NULL,
  furthest BIGINT NOT NULL,
  shipped BIGINT NOT NULL,
  lost BIGINT NOT NULL,
  lost_at BIGINT,
  rejected BIGINT NOT NULL,
  shipped_at BIGINT,
  due_at BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  failing_since BIGINT,
  last_error TEXT,
  claimed_by TEXT,
  claimed_until BIGINT NOT NULL,
  PRIMARY KEY (destination_id, source)
);
