-- The session of the agent that made a call. Its agent is in the column of the client.
ALTER TABLE calls ADD COLUMN agent_session TEXT;
