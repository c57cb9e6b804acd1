-- Consent for one server, and the tokens issued for it, belong to the server and not to its slug. Existing ones belong to the
-- server that has the slug now; null with a path: no server had it, so the path stays empty.

ALTER TABLE oauth_grants ADD COLUMN server_id TEXT;
ALTER TABLE credentials ADD COLUMN server_id TEXT;
CREATE INDEX oauth_grants_server_id ON oauth_grants (server_id) WHERE server_id IS NOT NULL;

UPDATE oauth_grants SET server_id = (SELECT id FROM mcp_servers WHERE '/mcp/' || slug = oauth_grants.resource_path)
  WHERE resource_path IS NOT NULL;
UPDATE credentials SET server_id = (SELECT id FROM mcp_servers WHERE '/mcp/' || slug = credentials.resource_path)
  WHERE resource_path IS NOT NULL;
