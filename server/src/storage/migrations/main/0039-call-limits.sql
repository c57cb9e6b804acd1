-- Limits of calls: per member of a group, and per tool for all users together. Null: no limit.

ALTER TABLE groups ADD COLUMN calls_per_minute BIGINT;
ALTER TABLE groups ADD COLUMN concurrent_calls BIGINT;

-- By the server's name of the tool, apart from the tools, because each sync replaces those.
CREATE TABLE tool_limits (
  server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
  tool_name TEXT NOT NULL,
  calls_per_minute BIGINT,
  concurrent_calls BIGINT,
  PRIMARY KEY (server_id, tool_name)
);
