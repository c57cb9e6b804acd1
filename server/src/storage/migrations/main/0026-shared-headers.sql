-- The shared credential of a server: a sealed JSON object of header names and values. `auth_settings` holds the names.

ALTER TABLE mcp_servers ADD COLUMN sealed_shared_headers TEXT;
