-- Who created an invitation, whether accepting it resets an account that was in use, and whether creating it required the
-- scope `all`. Pending invitations of earlier releases reset nothing, so they are rejected for accounts that were in use.

ALTER TABLE invitations ADD COLUMN creator_name TEXT;
ALTER TABLE invitations ADD COLUMN resets_account BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE invitations ADD COLUMN required_all BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE invitations SET required_all = TRUE WHERE user_id IN (SELECT id FROM users WHERE role IN ('owner', 'admin'));

-- Resets that the person is notified about.
CREATE TABLE account_resets (
  id TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  invited_by TEXT,
  address TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX account_resets_user ON account_resets (user_id, created_at);
