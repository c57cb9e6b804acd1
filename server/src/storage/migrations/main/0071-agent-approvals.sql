-- The approval that a session waits for. NULL: none.
ALTER TABLE agent_sessions ADD COLUMN approval_id TEXT;
