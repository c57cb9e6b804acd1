-- The users of items next to each other by user, because a report has many items of one user. Rows of an item end with
-- its instances, so no cascade is needed, and none of its indexes.
CREATE TABLE discovery_users_of_items (
  item_id TEXT NOT NULL,
  user_key TEXT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (user_key, item_id)
);
INSERT INTO discovery_users_of_items (item_id, user_key, count)
  SELECT item_id, user_key, count FROM discovery_item_users WHERE count > 0 ORDER BY user_key, item_id;
DROP TABLE discovery_item_users;
ALTER TABLE discovery_users_of_items RENAME TO discovery_item_users;

-- Violations of an item are found through its instances.
DROP INDEX discovery_violations_item;
