-- recorded-as: main/0013-oauth-flows
-- Sign-ins at customers' servers that are under way, and links that begin one.

CREATE TABLE oauth_flows (
  id TEXT NOT NULL PRIMARY KEY,
  state_hash TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
  sealed_verifier TEXT NOT NULL,
  plan JSON NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX oauth_flows_state_key ON oauth_flows (state_hash);
CREATE INDEX oauth_flows_expires_at ON oauth_flows (expires_at);

CREATE TABLE connect_links (
  token_hash TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
  expires_at BIGINT NOT NULL
);
CREATE INDEX connect_links_expires_at ON connect_links (expires_at);
