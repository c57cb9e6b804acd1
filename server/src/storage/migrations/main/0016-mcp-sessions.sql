-- recorded-as: main/0015-mcp-sessions
-- What every process must know of the sessions of MCP clients.

CREATE TABLE mcp_sessions (
  id TEXT NOT NULL PRIMARY KEY,
  log_level TEXT,
  ended_at BIGINT,
  updated_at BIGINT NOT NULL
);
CREATE INDEX mcp_sessions_updated ON mcp_sessions (updated_at);
