-- recorded-as: main/0011-identity-provider
-- The organization's own identity provider, and who came from one.

CREATE TABLE identity_providers (
  id TEXT NOT NULL PRIMARY KEY,
  issuer TEXT NOT NULL,
  client_id TEXT NOT NULL,
  sealed_provider_secret TEXT,
  allowed_domains JSON NOT NULL,
  groups_claim TEXT,
  group_mapping JSON NOT NULL,
  default_role TEXT NOT NULL,
  auto_create BOOLEAN NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE user_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX user_identities_user ON user_identities (user_id);
