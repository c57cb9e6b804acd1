-- What a connection says of itself without its secret, and a version that grows with each write: whoever renews a
-- credential stores it only over the one that was renewed.

ALTER TABLE connections ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE connections ADD COLUMN connected_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE connections ADD COLUMN expires_at BIGINT;
ALTER TABLE connections ADD COLUMN scopes JSON;
ALTER TABLE connections ADD COLUMN needed_scopes JSON;
ALTER TABLE connections ADD COLUMN issuer TEXT;
ALTER TABLE connections ADD COLUMN resource TEXT;
ALTER TABLE connections ADD COLUMN last_error TEXT;
