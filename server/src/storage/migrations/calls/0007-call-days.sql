-- Statistics of weeks and months: calls per UTC day of everyone (kind 0), each server (kind 1), each tool of a server
-- (kind 2), and each user (kind 3). Counts rank the names; durations are read for the top names only, so names come first
-- in their key.
CREATE TABLE call_days (
  kind BIGINT NOT NULL,
  day BIGINT NOT NULL,
  name BIGINT NOT NULL,
  within BIGINT NOT NULL,
  method BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (kind, day, name, within, method, outcome)
);
CREATE TABLE call_day_durations (
  kind BIGINT NOT NULL,
  name BIGINT NOT NULL,
  within BIGINT NOT NULL,
  day BIGINT NOT NULL,
  method BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  bucket BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  duration_us BIGINT NOT NULL,
  PRIMARY KEY (kind, name, within, day, method, outcome, bucket)
);

-- The first day that both tables cover. A job counts the days of an earlier release, newest first, and lowers it.
INSERT INTO log_counters (name, value)
  SELECT 'days_from', CASE WHEN EXISTS (SELECT 1 FROM call_minutes) THEN 9000000000 ELSE 0 END;
