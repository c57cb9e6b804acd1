-- Whether the instructions of a server are passed on to callers. The text is an item of kind `instructions`.

ALTER TABLE mcp_servers ADD COLUMN pass_instructions BOOLEAN NOT NULL DEFAULT TRUE;
