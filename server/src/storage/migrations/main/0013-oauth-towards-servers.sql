-- recorded-as: main/0012-oauth-towards-servers
-- What discovery found at a server, and the clients that we registered there by ourselves.

ALTER TABLE mcp_servers ADD COLUMN discovered_oauth JSON;

CREATE TABLE oauth_clients (
  id TEXT NOT NULL PRIMARY KEY,
  server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
  binding_key TEXT NOT NULL,
  client_id TEXT NOT NULL,
  auth_method TEXT NOT NULL,
  sealed_client_secret TEXT,
  secret_expires_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX oauth_clients_binding_key ON oauth_clients (server_id, binding_key);
