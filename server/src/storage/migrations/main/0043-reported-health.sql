-- The health of servers as the last event reported it. No row: healthy.
CREATE TABLE reported_health (
  server_id TEXT PRIMARY KEY REFERENCES mcp_servers (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  reported_at BIGINT NOT NULL
);
