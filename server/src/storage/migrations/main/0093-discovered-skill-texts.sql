-- The text of SKILL.md of discovered skills, from devices that send it and if the organization accepts it.
CREATE TABLE discovery_skill_texts (
  item_id TEXT PRIMARY KEY REFERENCES discovery_items (id) ON DELETE CASCADE,
  skill_md TEXT NOT NULL,
  received_at BIGINT NOT NULL
);
