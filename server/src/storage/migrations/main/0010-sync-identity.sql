-- As whom a server that asks users for credentials is read by itself; an admin chooses.
ALTER TABLE mcp_servers ADD COLUMN sync_user_id TEXT REFERENCES users (id) ON DELETE SET NULL;
