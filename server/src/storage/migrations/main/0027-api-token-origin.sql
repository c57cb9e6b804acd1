-- The first part of an API token, which identifies it and is not secret, and the name of the actor who created it. Both are
-- null for tokens of earlier releases.

ALTER TABLE api_tokens ADD COLUMN prefix TEXT;
ALTER TABLE api_tokens ADD COLUMN created_by TEXT;
