-- Users and groups that an identity provider manages through SCIM.

-- 'scim', or NULL: managed in Gatehouse only.
ALTER TABLE users ADD COLUMN provisioned_by TEXT;
-- The provider's name for a provisioned person, which need not be the email. NULL: the email.
ALTER TABLE users ADD COLUMN user_name TEXT;
ALTER TABLE users ADD COLUMN user_name_key TEXT;
-- The parts of the name and the type of the email, as the provider sent them.
ALTER TABLE users ADD COLUMN scim_profile JSON;
-- Whether the provider deactivated the person. A suspended person is also disabled.
ALTER TABLE users ADD COLUMN suspended BOOLEAN NOT NULL DEFAULT FALSE;
-- Of suspended people only: whether an admin disabled them too, so that they stay disabled when the provider reactivates them.
ALTER TABLE users ADD COLUMN disabled_by_admin BOOLEAN NOT NULL DEFAULT FALSE;
CREATE UNIQUE INDEX users_user_name_key ON users (user_name_key) WHERE user_name_key IS NOT NULL;
CREATE INDEX users_provisioned ON users (provisioned_by) WHERE provisioned_by IS NOT NULL;

ALTER TABLE groups ADD COLUMN provisioned_by TEXT;
ALTER TABLE groups ADD COLUMN external_id TEXT;
CREATE UNIQUE INDEX groups_external_id_key ON groups (external_id) WHERE external_id IS NOT NULL;

-- What the page of the settings shows about the last requests of the provider. One row.
CREATE TABLE scim_state (
  id INTEGER PRIMARY KEY,
  last_request_at BIGINT NOT NULL,
  last_request TEXT NOT NULL,
  last_status INTEGER NOT NULL,
  last_token TEXT NOT NULL,
  last_error_at BIGINT,
  last_error TEXT
);
