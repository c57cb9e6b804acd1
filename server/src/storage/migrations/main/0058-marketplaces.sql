-- The history of each user's marketplace repository. A new commit is added when the plugins of the user have changed
-- since the last one.

CREATE TABLE marketplace_commits (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- 1, 2, 3 and so on.
  number INTEGER NOT NULL,
  -- The id in git.
  commit_id TEXT NOT NULL,
  -- The releases in it: ids of plugins and numbers.
  releases JSON NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, number)
);

-- The files of a commit that are not part of a plugin.
CREATE TABLE marketplace_files (
  user_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  path TEXT NOT NULL,
  digest TEXT NOT NULL REFERENCES file_blobs (digest),
  -- The id of the content in git.
  blob_id TEXT NOT NULL,
  size BIGINT NOT NULL,
  PRIMARY KEY (user_id, number, path),
  FOREIGN KEY (user_id, number) REFERENCES marketplace_commits (user_id, number) ON DELETE CASCADE
);
CREATE INDEX marketplace_files_digest ON marketplace_files (digest);
