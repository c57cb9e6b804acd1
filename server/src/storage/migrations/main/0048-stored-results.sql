-- NULL: results of the server are not cut.
ALTER TABLE mcp_servers ADD COLUMN result_limit_bytes INTEGER;

-- For an hour: the complete text of a result that was cut, for the user who received it.
CREATE TABLE stored_results (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  server_id TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  sealed_text TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX stored_results_user ON stored_results (user_id, created_at);
CREATE INDEX stored_results_created ON stored_results (created_at);
