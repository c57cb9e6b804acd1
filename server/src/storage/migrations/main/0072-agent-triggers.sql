-- Schedules and signed webhooks that start sessions of agents, and where results are sent.

-- {cron, timezone, input, enabled}. NULL: none.
ALTER TABLE agents ADD COLUMN schedule JSON;
-- When the schedule starts the next session. NULL: never.
ALTER TABLE agents ADD COLUMN next_run_at BIGINT;
-- When the schedule last started no session, because the previous one still ran or the time had passed long ago.
ALTER TABLE agents ADD COLUMN skipped_at BIGINT;
ALTER TABLE agents ADD COLUMN hook_enabled BOOLEAN NOT NULL DEFAULT FALSE;
-- The secret of the inbound webhook, and the previous one until it expires.
ALTER TABLE agents ADD COLUMN sealed_hook TEXT;
ALTER TABLE agents ADD COLUMN notify_url TEXT;
CREATE INDEX agents_due ON agents (next_run_at) WHERE next_run_at IS NOT NULL;

-- Requests to inbound webhooks: by the sender's ID and by their signature, so that a repeated one starts no session.
CREATE TABLE agent_hook_requests (
  agent_id TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  request_key TEXT NOT NULL,
  session_id TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (agent_id, request_key)
);
CREATE INDEX agent_hook_requests_age ON agent_hook_requests (at);

-- The agent whose results this webhook gets. NULL: a webhook of the organization.
ALTER TABLE webhooks ADD COLUMN agent_id TEXT REFERENCES agents (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX webhooks_agent_id_key ON webhooks (agent_id) WHERE agent_id IS NOT NULL;

-- Agents of other platforms: settings without secrets, secrets, and the state of the last sync.
ALTER TABLE agents ADD COLUMN platform_config JSON;
ALTER TABLE agents ADD COLUMN sealed_platform TEXT;
ALTER TABLE agents ADD COLUMN sync JSON;
ALTER TABLE agent_sessions ADD COLUMN platform_session_id TEXT;
CREATE UNIQUE INDEX agent_sessions_platform_key ON agent_sessions (agent_id, platform_session_id)
  WHERE platform_session_id IS NOT NULL;
