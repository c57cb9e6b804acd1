-- Requests of people for access to a server or to some of its tools, and the decisions of admins.

CREATE TABLE access_requests (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
  tool_names JSON NOT NULL,
  reason TEXT NOT NULL,
  status TEXT NOT NULL,
  message TEXT,
  group_name TEXT,
  decided_by TEXT,
  decided_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE INDEX access_requests_status ON access_requests (status, created_at, id);
CREATE INDEX access_requests_server ON access_requests (server_id);
CREATE UNIQUE INDEX access_requests_pending ON access_requests (user_id, server_id) WHERE status = 'pending';
CREATE INDEX access_requests_user ON access_requests (user_id, created_at);
