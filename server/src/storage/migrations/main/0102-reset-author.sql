-- Whether a person or an API token created the invitation that reset the account. Null: unknown.
ALTER TABLE account_resets ADD COLUMN invited_by_kind TEXT;
