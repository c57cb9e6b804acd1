-- What upstreams list beside their tools: prompts by name, resources by address, resource templates by pattern. No index
-- on the names: an address may be longer than an index of Postgres takes.
CREATE TABLE server_items (
  server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  position BIGINT NOT NULL,
  upstream_name TEXT NOT NULL,
  slug TEXT NOT NULL,
  definition TEXT NOT NULL,
  PRIMARY KEY (server_id, kind, position)
);
