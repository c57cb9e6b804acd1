-- One invitation per person: a new one takes the place of the one before.

CREATE TABLE invitations (
  user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  accepted_at BIGINT
);
CREATE UNIQUE INDEX invitations_token_hash_key ON invitations (token_hash);
