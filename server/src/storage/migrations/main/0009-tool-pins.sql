-- A tool's definition is pinned when it is first read or accepted. `digest` is of what the upstream lists now; empty:
-- read by a release that pinned nothing. What was accepted stands beside it while the two differ.

ALTER TABLE mcp_servers ADD COLUMN tool_policy TEXT NOT NULL DEFAULT 'warn';
ALTER TABLE server_tools ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE server_tools ADD COLUMN pin TEXT NOT NULL DEFAULT 'accepted';
ALTER TABLE server_tools ADD COLUMN held BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE server_tools ADD COLUMN pinned_digest TEXT;
ALTER TABLE server_tools ADD COLUMN pinned_definition TEXT;
ALTER TABLE server_tools ADD COLUMN unseen JSON NOT NULL DEFAULT '[]';
