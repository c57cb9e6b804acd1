-- recorded-as: main/0016-upstream-sessions
-- Sessions at upstreams that were opened for sessions of MCP clients, so that every process can go on with them.

CREATE TABLE upstream_sessions (
  id TEXT NOT NULL PRIMARY KEY,
  key_hash TEXT NOT NULL,
  mcp_session_id TEXT NOT NULL,
  server_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  sealed_session TEXT NOT NULL,
  opened_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX upstream_sessions_key ON upstream_sessions (key_hash);
CREATE INDEX upstream_sessions_mcp_session ON upstream_sessions (mcp_session_id);
CREATE INDEX upstream_sessions_used ON upstream_sessions (used_at);
