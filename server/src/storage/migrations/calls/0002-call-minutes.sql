-- Calls per minute with their durations as a histogram: what statistics are read from. 0 stands for no server or tool.
CREATE TABLE call_minutes (
  minute BIGINT NOT NULL,
  server BIGINT NOT NULL,
  tool BIGINT NOT NULL,
  user_email BIGINT NOT NULL,
  method BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  bucket BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  duration_us BIGINT NOT NULL,
  PRIMARY KEY (minute, server, tool, user_email, method, outcome, bucket)
);

-- What an earlier release brings in is not counted yet, and only that has an entry in this index.
ALTER TABLE calls ADD COLUMN rolled_up BIGINT NOT NULL DEFAULT 0;
CREATE INDEX calls_to_roll_up ON calls (at, id) WHERE rolled_up = 0;
