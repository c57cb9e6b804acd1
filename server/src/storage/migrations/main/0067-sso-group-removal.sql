-- Whether a sign-in removes a person from mapped groups that the identity provider does not report.
ALTER TABLE identity_providers ADD COLUMN remove_from_groups BOOLEAN NOT NULL DEFAULT TRUE;
