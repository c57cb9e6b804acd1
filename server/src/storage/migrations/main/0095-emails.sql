-- Emails that wait for the mail server or were sent, written in the transaction of their cause (decision 0167). The token
-- of an invitation is sealed, and deleted when the email was sent. A process that sends one moves due_at ahead.
CREATE TABLE emails (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  recipient TEXT NOT NULL,
  data JSON NOT NULL,
  sealed_token TEXT,
  events BIGINT NOT NULL,
  status TEXT NOT NULL,
  at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  claimed_by TEXT,
  attempts BIGINT NOT NULL,
  last_attempt_at BIGINT,
  last_error TEXT
);
CREATE INDEX emails_due ON emails (due_at) WHERE status = 'pending';
CREATE INDEX emails_age ON emails (at, id);
CREATE INDEX emails_user ON emails (user_id, kind, at);

-- Whether the processes with the API have a mail server, so that processes without its settings know it, and how the last
-- attempts ended.
CREATE TABLE email_state (
  id BIGINT PRIMARY KEY,
  enabled BOOLEAN NOT NULL,
  sent_at BIGINT,
  failing_since BIGINT,
  last_error TEXT
);
