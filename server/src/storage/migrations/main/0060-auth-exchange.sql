-- Trusted issuers whose tokens are exchanged for gateway tokens.
CREATE TABLE exchange_providers (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  search_text TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  issuer TEXT NOT NULL,
  -- Keys, audiences, conditions, mapping and lifetimes, with ids of groups and of the machine user.
  definition JSON NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX exchange_providers_slug_key ON exchange_providers (slug);
CREATE INDEX exchange_providers_issuer ON exchange_providers (issuer);
CREATE INDEX exchange_providers_created ON exchange_providers (created_at, id);

-- One exchange, with everything issued for it. Its access tokens are rows of credentials, with this id as the grant.
CREATE TABLE exchange_credentials (
  id TEXT PRIMARY KEY,
  provider_id TEXT NOT NULL REFERENCES exchange_providers (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  -- The OAuth client that presented the token; NULL: none.
  client_id TEXT,
  token_prefix TEXT NOT NULL,
  scopes JSON NOT NULL,
  resource_path TEXT,
  server_id TEXT,
  -- The original token, if the provider passes it on to servers, and when it expires.
  sealed_token TEXT,
  token_expires_at BIGINT NOT NULL,
  -- When the last token issued for it can expire.
  expires_at BIGINT NOT NULL,
  last_used_at BIGINT NOT NULL,
  revoked_at BIGINT,
  end_reason TEXT,
  ip TEXT,
  created_at BIGINT NOT NULL
);
CREATE INDEX exchange_credentials_provider ON exchange_credentials (provider_id, subject, created_at);
CREATE INDEX exchange_credentials_user ON exchange_credentials (user_id, created_at);
CREATE INDEX exchange_credentials_created ON exchange_credentials (created_at, id);
CREATE INDEX exchange_credentials_expires ON exchange_credentials (expires_at);

-- Used ones stay until they expire, to detect that one is used again.
CREATE TABLE exchange_refresh_tokens (
  token_hash TEXT PRIMARY KEY,
  credential_id TEXT NOT NULL REFERENCES exchange_credentials (id) ON DELETE CASCADE,
  used_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE INDEX exchange_refresh_tokens_credential ON exchange_refresh_tokens (credential_id, created_at);

-- Tokens that can be exchanged once and were.
CREATE TABLE exchange_replays (
  provider_id TEXT NOT NULL REFERENCES exchange_providers (id) ON DELETE CASCADE,
  jti_hash TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (provider_id, jti_hash)
);
CREATE INDEX exchange_replays_expires ON exchange_replays (expires_at);
