-- recorded-as: main/0021-passed-messages
-- What MCP servers say in a caller's session between its calls, heard by one process and taken by another; for seconds.

CREATE TABLE passed_messages (
  id TEXT NOT NULL PRIMARY KEY,
  mcp_session_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  call_id TEXT,
  messages TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX passed_messages_session ON passed_messages (mcp_session_id);
CREATE INDEX passed_messages_created ON passed_messages (created_at);
