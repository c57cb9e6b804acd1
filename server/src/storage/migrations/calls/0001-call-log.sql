-- The call log lives in a file of its own under SQLite. Rows are lean: names are interned in log_names.

CREATE TABLE log_names (
  id BIGINT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);
CREATE UNIQUE INDEX log_names_value_key ON log_names (value);

-- Three indexes in all, the key included: the log is read newest first, whole, for one person or for one server, and
-- each time within a span of time.
CREATE TABLE calls (
  id BIGINT NOT NULL,
  at BIGINT NOT NULL,
  duration_us BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  method BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  user_email BIGINT NOT NULL,
  server BIGINT,
  tool BIGINT,
  request_bytes BIGINT NOT NULL,
  response_bytes BIGINT NOT NULL,
  request_id TEXT NOT NULL,
  error TEXT,
  PRIMARY KEY (at, id)
);
CREATE INDEX calls_user ON calls (user_email, at, id);
CREATE INDEX calls_server ON calls (server, at, id);

-- How far each process's spool has been moved into calls.
CREATE TABLE spool_positions (
  spool TEXT NOT NULL PRIMARY KEY,
  position BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE TABLE log_counters (
  name TEXT NOT NULL PRIMARY KEY,
  value BIGINT NOT NULL
);
INSERT INTO log_counters (name, value) VALUES ('calls', 0);
INSERT INTO log_counters (name, value) VALUES ('names', 0);
