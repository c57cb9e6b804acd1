-- The issuer and each audience of the enabled providers, as a digest: two providers never accept the same token.
CREATE TABLE exchange_audiences (
  key TEXT PRIMARY KEY,
  provider_id TEXT NOT NULL REFERENCES exchange_providers (id) ON DELETE CASCADE
);
CREATE INDEX exchange_audiences_provider ON exchange_audiences (provider_id);
