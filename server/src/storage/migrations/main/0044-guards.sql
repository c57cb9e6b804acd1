-- Guards examine calls and content. Scopes name groups, servers and users by id, without references: the id of a deleted
-- record stays, so that a guard for one group does not become a guard for everyone.

CREATE TABLE guards (
  id TEXT PRIMARY KEY,
  -- Identifies a built-in guard; NULL for guards of admins.
  builtin_key TEXT,
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  search_text TEXT NOT NULL,
  type TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  action TEXT NOT NULL,
  threshold INTEGER NOT NULL,
  direction TEXT NOT NULL,
  entity_types JSON NOT NULL,
  scope JSON NOT NULL,
  checks JSON NOT NULL,
  -- The headers of webhook checks, as JSON by the id of the check.
  sealed_headers TEXT,
  priority INTEGER NOT NULL,
  -- NULL: the default for the action.
  on_error TEXT,
  message TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX guards_slug_key ON guards (slug);
CREATE UNIQUE INDEX guards_builtin_key ON guards (builtin_key);
CREATE INDEX guards_created ON guards (created_at, id);
