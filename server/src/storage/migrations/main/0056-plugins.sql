-- Plugins: bundles of skills, agents, hooks and MCP configuration for AI clients. What clients get is in the releases,
-- which never change.

CREATE TABLE plugins (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  search_text TEXT NOT NULL,
  status TEXT NOT NULL,
  -- What the next release contains, with slugs of skills, toolkits and servers.
  definition JSON NOT NULL,
  -- The number of releases, and so the number of the latest one.
  releases INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX plugins_slug_key ON plugins (slug);
CREATE INDEX plugins_created ON plugins (created_at, id);

CREATE TABLE plugin_releases (
  plugin_id TEXT NOT NULL REFERENCES plugins (id) ON DELETE CASCADE,
  -- 1, 2, 3 and so on: the order of the releases.
  number INTEGER NOT NULL,
  version TEXT NOT NULL,
  -- Of the paths, modes and digests of all files: equal for equal content.
  digest TEXT NOT NULL,
  notes TEXT NOT NULL,
  -- The description of the plugin at that time.
  manifest JSON NOT NULL,
  size BIGINT NOT NULL,
  files_count INTEGER NOT NULL,
  published_by TEXT NOT NULL,
  published_at BIGINT NOT NULL,
  PRIMARY KEY (plugin_id, number)
);
CREATE UNIQUE INDEX plugin_releases_version_key ON plugin_releases (plugin_id, version);

CREATE TABLE plugin_files (
  plugin_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  path TEXT NOT NULL,
  digest TEXT NOT NULL REFERENCES file_blobs (digest),
  -- The id of the content in git.
  blob_id TEXT NOT NULL,
  size BIGINT NOT NULL,
  executable BOOLEAN NOT NULL,
  PRIMARY KEY (plugin_id, number, path),
  FOREIGN KEY (plugin_id, number) REFERENCES plugin_releases (plugin_id, number) ON DELETE CASCADE
);
CREATE INDEX plugin_files_digest ON plugin_files (digest);

CREATE TABLE group_plugins (
  group_id TEXT NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  plugin_id TEXT NOT NULL REFERENCES plugins (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, plugin_id)
);
CREATE INDEX group_plugins_plugin ON group_plugins (plugin_id);
