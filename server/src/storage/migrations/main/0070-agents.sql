-- Background agents, their sessions, and what happened in these.

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  search_text TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  platform TEXT NOT NULL,
  instructions TEXT NOT NULL,
  model TEXT NOT NULL,
  -- Without secrets, which are sealed: the API key and the values of headers.
  provider JSON NOT NULL,
  sealed_provider TEXT,
  -- The slug of a toolkit. NULL: everything that the machine user can use.
  toolkit TEXT,
  -- Slugs of skills.
  skills JSON NOT NULL,
  -- The machine user. NULL: it was deleted.
  identity_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  owner_emails JSON NOT NULL,
  limits JSON NOT NULL,
  -- Increased when what the agent does changes.
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX agents_slug_key ON agents (slug);
CREATE INDEX agents_created ON agents (created_at, id);
CREATE INDEX agents_identity ON agents (identity_id);

CREATE TABLE agent_sessions (
  id TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  agent_version BIGINT NOT NULL,
  platform TEXT NOT NULL,
  cause TEXT NOT NULL,
  status TEXT NOT NULL,
  input TEXT NOT NULL,
  output TEXT,
  error_code TEXT,
  error_message TEXT,
  steps BIGINT NOT NULL,
  tool_calls BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  parent_id TEXT,
  metadata JSON NOT NULL,
  requested_by TEXT NOT NULL,
  requested_by_id TEXT NOT NULL,
  cancel_requested BOOLEAN NOT NULL,
  -- The process that runs it, and until when it certainly lives. NULL: none.
  claimed_by TEXT,
  claimed_until BIGINT,
  created_at BIGINT NOT NULL,
  started_at BIGINT,
  ended_at BIGINT
);
CREATE INDEX agent_sessions_list ON agent_sessions (agent_id, created_at, id);
CREATE INDEX agent_sessions_open ON agent_sessions (status, created_at, id) WHERE ended_at IS NULL;
CREATE INDEX agent_sessions_age ON agent_sessions (ended_at, id) WHERE ended_at IS NOT NULL;

CREATE TABLE agent_steps (
  session_id TEXT NOT NULL REFERENCES agent_sessions (id) ON DELETE CASCADE,
  position BIGINT NOT NULL,
  type TEXT NOT NULL,
  -- JSON.
  data TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  PRIMARY KEY (session_id, position)
);
