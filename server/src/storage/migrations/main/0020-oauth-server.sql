-- recorded-as: main/0019-oauth-server
-- The OAuth server to which people's MCP clients connect.

-- What its library keeps: clients that registered, codes, refresh tokens, grants, sign-ins under way. Ids are hashes.
CREATE TABLE oauth_artifacts (
  id TEXT NOT NULL PRIMARY KEY,
  model TEXT NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  client_id TEXT,
  grant_id TEXT,
  sealed_payload TEXT NOT NULL,
  consumed_at BIGINT,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX oauth_artifacts_expires_at ON oauth_artifacts (expires_at);
CREATE INDEX oauth_artifacts_grant_id ON oauth_artifacts (grant_id);

-- Which client a person has connected, as people see it.
CREATE TABLE oauth_grants (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  resource_path TEXT,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX oauth_grants_user_id ON oauth_grants (user_id, created_at, id);
CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at);
