-- Objects that `gatehouse apply` manages, by their kind and key in the files.
CREATE TABLE managed_objects (
  kind TEXT NOT NULL,
  object_key TEXT NOT NULL,
  applied_by TEXT NOT NULL,
  applied_at BIGINT NOT NULL,
  PRIMARY KEY (kind, object_key)
);
