-- Commands: templates with arguments, which callers get as prompts.

CREATE TABLE commands (
  id TEXT PRIMARY KEY,
  -- The name by which callers invoke it.
  slug TEXT NOT NULL,
  name TEXT NOT NULL,
  search_text TEXT NOT NULL,
  -- NULL: the first line of the content.
  description TEXT,
  content TEXT NOT NULL,
  -- NULL: the placeholders of the content.
  arguments JSON,
  -- NULL: composed from the arguments.
  argument_hint TEXT,
  allowed_tools JSON NOT NULL,
  model TEXT,
  disable_model_invocation BOOLEAN NOT NULL,
  -- Slugs of skills.
  skills JSON NOT NULL,
  include_skills BOOLEAN NOT NULL,
  status TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX commands_slug_key ON commands (slug);
CREATE INDEX commands_created ON commands (created_at, id);

CREATE TABLE group_commands (
  group_id TEXT NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  command_id TEXT NOT NULL REFERENCES commands (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, command_id)
);
CREATE INDEX group_commands_command ON group_commands (command_id);

-- Slugs of the commands in the view of a toolkit.
ALTER TABLE toolkits ADD COLUMN commands JSON NOT NULL DEFAULT '[]';
