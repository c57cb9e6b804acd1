-- Toolkits: named selections of tools, prompts and resources of several servers. Entries name servers by their slugs, so
-- they stay when a server is deleted, and apply again when a server with the same slug is created.

CREATE TABLE toolkits (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  search_text TEXT NOT NULL,
  instructions TEXT NOT NULL,
  status TEXT NOT NULL,
  least_privilege BOOLEAN NOT NULL,
  owner_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  tools JSON NOT NULL,
  prompts JSON NOT NULL,
  resources JSON NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX toolkits_slug_key ON toolkits (slug);
CREATE INDEX toolkits_created ON toolkits (created_at, id);
CREATE INDEX toolkits_owner ON toolkits (owner_id);

-- The servers that the entries of a toolkit name, to find the toolkits of a server.
CREATE TABLE toolkit_servers (
  toolkit_id TEXT NOT NULL REFERENCES toolkits (id) ON DELETE CASCADE,
  server_slug TEXT NOT NULL,
  PRIMARY KEY (toolkit_id, server_slug)
);
CREATE INDEX toolkit_servers_slug ON toolkit_servers (server_slug);

CREATE TABLE group_toolkits (
  group_id TEXT NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  toolkit_id TEXT NOT NULL REFERENCES toolkits (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, toolkit_id)
);
CREATE INDEX group_toolkits_toolkit ON group_toolkits (toolkit_id);

-- The slug of the only toolkit that a machine user can use. Not a reference: without its toolkit, the user has no access.
ALTER TABLE users ADD COLUMN toolkit TEXT;
CREATE INDEX users_toolkit ON users (toolkit) WHERE toolkit IS NOT NULL;
