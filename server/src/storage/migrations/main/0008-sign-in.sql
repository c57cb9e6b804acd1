-- How people sign in. Of whatever lets somebody in, only a hash is kept.

CREATE TABLE passwords (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  changed_at BIGINT NOT NULL
);

CREATE TABLE web_sessions (
  id TEXT NOT NULL PRIMARY KEY,
  token_hash TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  authenticated_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX web_sessions_token_hash_key ON web_sessions (token_hash);
CREATE INDEX web_sessions_user ON web_sessions (user_id);

CREATE TABLE setup_links (
  token_hash TEXT NOT NULL PRIMARY KEY,
  break_glass BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);

-- Attempts of an account or an address, whoever of the replicas saw them.
CREATE TABLE sign_in_attempts (
  attempt_key TEXT NOT NULL PRIMARY KEY,
  failures BIGINT NOT NULL,
  blocked_until BIGINT NOT NULL,
  last_at BIGINT NOT NULL
);
