-- Calls that a guard holds until a person approves them. The digest identifies user, tool and arguments with a key of the
-- vault. Users and servers are not referenced: the decision about a call outlives them.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  user_id TEXT NOT NULL,
  user_email TEXT NOT NULL,
  -- Of a machine user, at the time of the call: they cannot decide.
  owner_ids JSON NOT NULL,
  server_id TEXT NOT NULL,
  server_slug TEXT NOT NULL,
  server_name TEXT NOT NULL,
  method TEXT NOT NULL,
  tool TEXT NOT NULL,
  digest TEXT NOT NULL,
  -- NULL: deleted by the retention.
  sealed_arguments TEXT,
  arguments_bytes BIGINT NOT NULL,
  guard_slug TEXT NOT NULL,
  guard_name TEXT NOT NULL,
  check_names JSON NOT NULL,
  search_text TEXT NOT NULL,
  request_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_by TEXT,
  decided_at BIGINT,
  note TEXT,
  consumed_at BIGINT
);
-- Identical calls wait for the same approval.
CREATE UNIQUE INDEX approvals_pending ON approvals (digest) WHERE status = 'pending';
CREATE INDEX approvals_digest ON approvals (digest, created_at);
CREATE INDEX approvals_status ON approvals (status, created_at, id);
CREATE INDEX approvals_user ON approvals (user_id, created_at);
CREATE INDEX approvals_expiry ON approvals (expires_at, id);
