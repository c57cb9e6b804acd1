-- Devices that sent a text of a skill that does not match its digest. They are not asked for it again.
CREATE TABLE discovery_refused_texts (
  device_id TEXT NOT NULL REFERENCES discovery_devices (id) ON DELETE CASCADE,
  item_id TEXT NOT NULL REFERENCES discovery_items (id) ON DELETE CASCADE,
  refused_at BIGINT NOT NULL,
  PRIMARY KEY (device_id, item_id)
);

CREATE INDEX discovery_refused_texts_item ON discovery_refused_texts (item_id);
