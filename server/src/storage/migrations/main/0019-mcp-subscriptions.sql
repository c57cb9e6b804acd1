-- recorded-as: main/0018-mcp-subscriptions
-- Resources that sessions of MCP clients want to hear of, so that the process that holds a session's stream knows them.

CREATE TABLE mcp_subscriptions (
  key_hash TEXT NOT NULL PRIMARY KEY,
  mcp_session_id TEXT NOT NULL,
  server_id TEXT NOT NULL,
  uri TEXT NOT NULL,
  asked_uri TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL
);
CREATE INDEX mcp_subscriptions_session ON mcp_subscriptions (mcp_session_id);
CREATE INDEX mcp_subscriptions_used ON mcp_subscriptions (used_at);
