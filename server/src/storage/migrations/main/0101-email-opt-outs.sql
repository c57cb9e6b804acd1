-- Email notices that people turned off.
CREATE TABLE email_opt_outs (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  PRIMARY KEY (user_id, kind)
);
