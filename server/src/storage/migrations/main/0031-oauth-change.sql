-- `discovered_oauth` holds the authorization server and the resource that people's tokens are requested for, and changes only
-- when an admin approves it. `oauth_change` holds what the server names instead since then.

ALTER TABLE mcp_servers ADD COLUMN oauth_change JSON;
