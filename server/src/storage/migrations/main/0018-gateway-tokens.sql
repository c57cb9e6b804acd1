-- recorded-as: main/0017-gateway-tokens
-- Tokens of people's programs: which client holds one, by which grant, and at which path of the gateway alone it counts.

ALTER TABLE credentials ADD COLUMN client_id TEXT;
ALTER TABLE credentials ADD COLUMN grant_id TEXT;
ALTER TABLE credentials ADD COLUMN resource_path TEXT;
CREATE INDEX credentials_expires_at ON credentials (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX credentials_grant_id ON credentials (grant_id) WHERE grant_id IS NOT NULL;
