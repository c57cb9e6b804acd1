-- `sync_failed_at` is the time of the first failure since the last successful sync. `rejected_digest` is the digest of a
-- definition that an admin rejected; the tool keeps its accepted definition until the upstream lists another one.

ALTER TABLE mcp_servers ADD COLUMN sync_failed_at BIGINT;
ALTER TABLE server_tools ADD COLUMN rejected_digest TEXT;
