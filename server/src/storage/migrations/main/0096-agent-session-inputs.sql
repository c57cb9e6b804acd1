-- The input as it was given, sealed, until the session ends. NULL: guards removed nothing from it.

ALTER TABLE agent_sessions ADD COLUMN sealed_input TEXT;
