-- What calls carried, where the organization wants that kept: sealed, apart from the log, and for a shorter time.
CREATE TABLE call_payloads (
  id TEXT NOT NULL PRIMARY KEY,
  at BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  capture TEXT NOT NULL,
  sealed TEXT NOT NULL
);
CREATE INDEX call_payloads_at ON call_payloads (at, id, bytes);

-- When the call left for its server, after its arrival; null: it never did, or an earlier release logged it.
ALTER TABLE calls ADD COLUMN forwarded_us BIGINT;
ALTER TABLE calls ADD COLUMN trace_id TEXT;
