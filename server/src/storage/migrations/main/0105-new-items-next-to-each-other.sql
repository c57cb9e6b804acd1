-- The ID is derived from the kind and the key, so it is unique if they are.
DROP INDEX discovery_items_key;

-- Items with the same risk or number of devices in the order in which they were first seen, so that new ones are next to
-- each other.
DROP INDEX discovery_items_risk;
CREATE INDEX discovery_items_risk ON discovery_items (kind, risk_score, first_seen, id);
DROP INDEX discovery_items_devices;
CREATE INDEX discovery_items_devices ON discovery_items (kind, devices_count, first_seen, id);
