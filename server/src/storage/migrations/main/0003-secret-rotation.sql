-- A machine user's secret before the last rotation, which is valid for a while beside the current one (SEC-8).

ALTER TABLE credentials ADD COLUMN previous_verifier BYTEA;
ALTER TABLE credentials ADD COLUMN previous_pepper_version BIGINT;
ALTER TABLE credentials ADD COLUMN previous_expires_at BIGINT;
