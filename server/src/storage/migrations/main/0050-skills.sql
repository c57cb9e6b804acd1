-- Files by the SHA-256 of their content, in hexadecimal. Equal files of several versions and skills are stored once. A job
-- deletes files that nothing has referred to for a while.

CREATE TABLE file_blobs (
  digest TEXT PRIMARY KEY,
  size BIGINT NOT NULL,
  content BYTEA NOT NULL,
  -- When a record that refers to it was last saved.
  used_at BIGINT NOT NULL
);
CREATE INDEX file_blobs_used ON file_blobs (used_at);

-- Skills: instructions for models with files. What a skill contains is in its versions, which never change.

CREATE TABLE skills (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL,
  description TEXT NOT NULL,
  search_text TEXT NOT NULL,
  status TEXT NOT NULL,
  -- The current version.
  version INTEGER NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX skills_slug_key ON skills (slug);
CREATE INDEX skills_created ON skills (created_at, id);

CREATE TABLE skill_versions (
  skill_id TEXT NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  -- The front matter of SKILL.md as its author wrote it.
  front_matter JSON NOT NULL,
  -- The fields of the front matter as the API shows them.
  fields JSON NOT NULL,
  -- Of the paths and digests of all files: equal for equal content.
  digest TEXT NOT NULL,
  size BIGINT NOT NULL,
  files_count INTEGER NOT NULL,
  -- Where it comes from: how it was imported, or the version that it restores. NULL: it was edited.
  source JSON,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (skill_id, version)
);

CREATE TABLE skill_files (
  skill_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  path TEXT NOT NULL,
  digest TEXT NOT NULL REFERENCES file_blobs (digest),
  size BIGINT NOT NULL,
  executable BOOLEAN NOT NULL,
  -- Whether it is text in UTF-8.
  is_text BOOLEAN NOT NULL,
  PRIMARY KEY (skill_id, version, path),
  FOREIGN KEY (skill_id, version) REFERENCES skill_versions (skill_id, version) ON DELETE CASCADE
);
CREATE INDEX skill_files_digest ON skill_files (digest);

CREATE TABLE group_skills (
  group_id TEXT NOT NULL REFERENCES groups (id) ON DELETE CASCADE,
  skill_id TEXT NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, skill_id)
);
CREATE INDEX group_skills_skill ON group_skills (skill_id);

-- Slugs of the skills in the view of a toolkit.
ALTER TABLE toolkits ADD COLUMN skills JSON NOT NULL DEFAULT '[]';
