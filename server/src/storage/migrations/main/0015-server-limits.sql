-- recorded-as: main/0014-server-limits
-- Limits that an admin set for one server; those that are missing are as the settings have them for all.
ALTER TABLE mcp_servers ADD COLUMN limits JSON;
