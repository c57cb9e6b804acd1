-- What guards did with a call, and how often each guard was evaluated and fired.

ALTER TABLE calls ADD COLUMN guard_action BIGINT;
ALTER TABLE calls ADD COLUMN guard BIGINT;
ALTER TABLE calls ADD COLUMN guard_findings TEXT;

CREATE TABLE guard_counts (
  guard_id TEXT PRIMARY KEY,
  evaluated BIGINT NOT NULL,
  fired BIGINT NOT NULL,
  last_fired_at BIGINT,
  updated_at BIGINT NOT NULL
);
