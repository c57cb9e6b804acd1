-- Which servers were made from a connector, and which point at the same endpoint whatever its spelling. The key is a
-- digest that only we can make: servers that were there before get theirs from a periodic job.
ALTER TABLE mcp_servers ADD COLUMN endpoint_key TEXT;
CREATE INDEX mcp_servers_endpoint_key ON mcp_servers (endpoint_key);
CREATE INDEX mcp_servers_connector_id ON mcp_servers (connector_id);

-- The public registry's servers with a remote endpoint. The sort key is bytes, because text sorts by the database's
-- collation under Postgres and by bytes under SQLite.
CREATE TABLE registry_entries (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  search_text TEXT NOT NULL,
  sort_key BYTEA NOT NULL,
  url TEXT NOT NULL,
  endpoint_key TEXT NOT NULL,
  transport TEXT NOT NULL,
  website TEXT,
  repo TEXT,
  official BOOLEAN NOT NULL,
  auth_types JSON NOT NULL,
  header_name TEXT,
  header_prefix TEXT
);
CREATE INDEX registry_entries_sort_key ON registry_entries (sort_key);

-- One row at most: whose entries these are, up to when they were read, and when they were last read whole.
CREATE TABLE registry_state (
  id BIGINT NOT NULL PRIMARY KEY,
  registry_url TEXT NOT NULL,
  read_up_to BIGINT NOT NULL,
  read_whole_at BIGINT NOT NULL
);
