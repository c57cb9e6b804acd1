-- What statistics of a day or a month are read from: over everybody by ten minutes with durations, and by the hour how
-- often each server (kind 1), tool of a server (kind 2) and user (kind 3) was called.
CREATE TABLE call_spans (
  span BIGINT NOT NULL,
  method BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  bucket BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  duration_us BIGINT NOT NULL,
  PRIMARY KEY (span, method, outcome, bucket)
);
CREATE TABLE call_hours (
  kind BIGINT NOT NULL,
  hour BIGINT NOT NULL,
  name BIGINT NOT NULL,
  within BIGINT NOT NULL,
  method BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  calls BIGINT NOT NULL,
  PRIMARY KEY (kind, hour, name, within, method, outcome)
);

INSERT INTO call_spans (span, method, outcome, bucket, calls, duration_us)
  SELECT minute / 10, method, outcome, bucket, cast(sum(calls) AS BIGINT), cast(sum(duration_us) AS BIGINT)
  FROM call_minutes GROUP BY minute / 10, method, outcome, bucket;
INSERT INTO call_hours (kind, hour, name, within, method, outcome, calls)
  SELECT 1, minute / 60, server, 0, method, outcome, cast(sum(calls) AS BIGINT)
  FROM call_minutes WHERE server <> 0 GROUP BY minute / 60, server, method, outcome;
INSERT INTO call_hours (kind, hour, name, within, method, outcome, calls)
  SELECT 2, minute / 60, tool, server, method, outcome, cast(sum(calls) AS BIGINT)
  FROM call_minutes WHERE tool <> 0 GROUP BY minute / 60, tool, server, method, outcome;
INSERT INTO call_hours (kind, hour, name, within, method, outcome, calls)
  SELECT 3, minute / 60, user_email, 0, method, outcome, cast(sum(calls) AS BIGINT)
  FROM call_minutes GROUP BY minute / 60, user_email, method, outcome;
