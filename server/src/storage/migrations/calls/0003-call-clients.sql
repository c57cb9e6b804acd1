-- How a caller proved who they are (null: by a machine user's key), and the OAuth client that called for them.

ALTER TABLE calls ADD COLUMN via BIGINT;
ALTER TABLE calls ADD COLUMN client BIGINT;
