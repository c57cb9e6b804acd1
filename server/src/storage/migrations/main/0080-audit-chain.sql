-- Every audit row commits to the previous one (decision 0136). The migrator chains existing rows in the order of at, id.
ALTER TABLE audit ADD COLUMN seq BIGINT;
ALTER TABLE audit ADD COLUMN hash TEXT;
CREATE UNIQUE INDEX audit_seq_key ON audit (seq);

-- One row: the last entry of the chain. Writers lock it, so that entries are appended in sequence.
CREATE TABLE audit_chain (
  id BIGINT NOT NULL PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL
);
INSERT INTO audit_chain (id, seq, hash) VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- Signed statements about an entry. The kind is "periodic", or "cut": retention deleted the entry and all earlier ones.
CREATE TABLE audit_checkpoints (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL,
  at BIGINT NOT NULL,
  key_version BIGINT NOT NULL,
  signature TEXT NOT NULL
);
CREATE INDEX audit_checkpoints_seq ON audit_checkpoints (seq, id);

-- One row: what the periodic verification found.
CREATE TABLE audit_verification (
  id BIGINT NOT NULL PRIMARY KEY,
  seq BIGINT NOT NULL,
  hash TEXT NOT NULL,
  entry_at BIGINT,
  verified_at BIGINT,
  full_at BIGINT,
  problem JSON
);
INSERT INTO audit_verification (id, seq, hash) VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

-- How far entries were shipped, by receiver.
CREATE TABLE audit_shipping (
  name TEXT NOT NULL PRIMARY KEY,
  seq BIGINT NOT NULL,
  shipped_at BIGINT NOT NULL
);
