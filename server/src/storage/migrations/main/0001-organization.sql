-- One text for SQLite and Postgres. The declared types BIGINT, BOOLEAN, JSON and BYTEA are read by our SQLite driver,
-- which maps values by them; Postgres knows them natively. Times are epoch milliseconds.

CREATE TABLE change_counter (
  id BIGINT NOT NULL PRIMARY KEY,
  revision BIGINT NOT NULL
);
INSERT INTO change_counter (id, revision) VALUES (1, 0);

CREATE TABLE changes (
  revision BIGINT NOT NULL,
  kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  PRIMARY KEY (revision, kind, target_id)
);

CREATE TABLE audit (
  id TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  operation TEXT NOT NULL,
  target_kind TEXT NOT NULL,
  target_id TEXT NOT NULL,
  target_name TEXT NOT NULL,
  before JSON,
  after JSON,
  request_id TEXT NOT NULL
);
CREATE INDEX audit_at ON audit (at, id);

CREATE TABLE idempotency (
  actor_id TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  operation TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status BIGINT NOT NULL,
  answer TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (actor_id, key_hash)
);
CREATE INDEX idempotency_created_at ON idempotency (created_at);

CREATE TABLE vault_keys (
  purpose TEXT NOT NULL,
  version BIGINT NOT NULL,
  wrapping_key_id TEXT NOT NULL,
  wrapped_key TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (purpose, version)
);

CREATE TABLE leases (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value JSON NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE mcp_servers (
  id TEXT NOT NULL PRIMARY KEY,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  search_text TEXT NOT NULL,
  status TEXT NOT NULL,
  connector_id TEXT,
  upstream_url TEXT,
  upstream_transport TEXT,
  auth_type TEXT NOT NULL,
  auth_settings JSON NOT NULL,
  sealed_client_secret TEXT,
  is_local BOOLEAN NOT NULL,
  eras JSON NOT NULL,
  sync_tried_at BIGINT,
  tools_synced_at BIGINT,
  sync_error TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX mcp_servers_slug_key ON mcp_servers (slug);
CREATE INDEX mcp_servers_created_at ON mcp_servers (created_at, id);

CREATE TABLE server_tools (
  server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
  upstream_name TEXT NOT NULL,
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  definition TEXT NOT NULL,
  position BIGINT NOT NULL,
  enabled BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (server_id, upstream_name)
);
CREATE UNIQUE INDEX server_tools_slug_key ON server_tools (server_id, slug);

CREATE TABLE groups (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  auto_assign_users BOOLEAN NOT NULL,
  auto_assign_mcps BOOLEAN NOT NULL,
  show_draft_mcps BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX groups_name_key ON groups (name_key);
CREATE INDEX groups_created_at ON groups (created_at, id);

CREATE TABLE users (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  email_key TEXT NOT NULL,
  search_text TEXT NOT NULL,
  is_machine_user BOOLEAN NOT NULL,
  slug TEXT,
  role TEXT NOT NULL,
  disabled BOOLEAN NOT NULL,
  risk_score DOUBLE PRECISION,
  sealed_client_credentials TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX users_email_key ON users (email_key);
CREATE UNIQUE INDEX users_slug_key ON users (slug);
CREATE INDEX users_created_at ON users (created_at, id);

CREATE TABLE user_owners (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  owner_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, owner_id)
);
CREATE INDEX user_owners_owner ON user_owners (owner_id);

CREATE TABLE group_servers (
  group_id TEXT NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, server_id)
);
CREATE INDEX group_servers_server ON group_servers (server_id);

CREATE TABLE group_users (
  group_id TEXT NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, user_id)
);
CREATE INDEX group_users_user ON group_users (user_id, group_id);

CREATE TABLE credentials (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  access_key TEXT NOT NULL,
  verifier BYTEA NOT NULL,
  pepper_version BIGINT NOT NULL,
  sealed_secret TEXT,
  scopes JSON,
  toolkit TEXT,
  actor TEXT,
  expires_at BIGINT,
  revoked_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX credentials_access_key ON credentials (access_key);
CREATE INDEX credentials_user ON credentials (user_id);

CREATE TABLE connections (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  sealed_credential TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX connections_user_server_key ON connections (user_id, server_id);
CREATE INDEX connections_server ON connections (server_id);

CREATE TABLE api_tokens (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  scopes JSON NOT NULL,
  expires_at BIGINT,
  last_used_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX api_tokens_hash_key ON api_tokens (token_hash);
CREATE INDEX api_tokens_created_at ON api_tokens (created_at, id);
