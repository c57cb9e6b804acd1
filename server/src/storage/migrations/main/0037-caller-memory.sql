-- For an hour: which server returned a link to a resource to a user. The key is a hash of user and URI.
CREATE TABLE linked_resources (
  key_hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  server_id TEXT NOT NULL,
  linked_at BIGINT NOT NULL
);
CREATE INDEX linked_resources_user ON linked_resources (user_id, linked_at);
CREATE INDEX linked_resources_linked ON linked_resources (linked_at);

-- The lists, as hashes, that the stream of a caller was notified of last, and the resources that it subscribed to.
CREATE TABLE caller_streams (
  id TEXT PRIMARY KEY,
  caller_hash TEXT NOT NULL,
  lists JSON NOT NULL,
  resources JSON NOT NULL,
  seen_at BIGINT NOT NULL
);
CREATE INDEX caller_streams_caller ON caller_streams (caller_hash);
CREATE INDEX caller_streams_seen ON caller_streams (seen_at);
