-- Calls are listed by when they came and written when they end: who follows the log goes by their numbers, which are given
-- in the order of their coming into it. The index only ever grows at its end, so it costs little.
CREATE INDEX calls_arrival ON calls (id);

-- Calls that did not end well, by what was said of them. 0 stands for no server, '' for no words.
CREATE TABLE call_errors (
  minute BIGINT NOT NULL,
  server BIGINT NOT NULL,
  outcome BIGINT NOT NULL,
  message TEXT NOT NULL,
  calls BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (minute, server, outcome, message)
);
