-- The approval that a guard required for a call.
ALTER TABLE calls ADD COLUMN approval_id TEXT;
