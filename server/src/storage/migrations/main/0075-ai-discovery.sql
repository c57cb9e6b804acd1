-- Devices that report the AI tools installed on them.
CREATE TABLE discovery_devices (
  -- The reported id. A second device with the same id and another serial number has a suffix.
  id TEXT PRIMARY KEY,
  reported_id TEXT NOT NULL,
  serial_hash TEXT,
  hostname TEXT NOT NULL,
  os TEXT NOT NULL,
  os_version TEXT,
  arch TEXT,
  is_wsl BOOLEAN NOT NULL,
  is_container BOOLEAN NOT NULL,
  usernames JSON NOT NULL,
  -- The main user of the device, and the email that the device reported.
  username TEXT,
  reported_email TEXT,
  -- The email that an admin assigned; NULL: the reported one counts.
  assigned_email TEXT,
  search_text TEXT NOT NULL,
  agent_name TEXT,
  agent_version TEXT,
  retired BOOLEAN NOT NULL,
  -- The API token of the last report.
  token_id TEXT NOT NULL,
  token_name TEXT NOT NULL,
  warnings JSON NOT NULL,
  -- Present items by kind.
  counts JSON NOT NULL,
  -- Files that the last scan could not read.
  scan_errors JSON NOT NULL,
  -- The last reports that were applied, so that a repeated one changes nothing.
  recent_reports JSON NOT NULL,
  first_seen BIGINT NOT NULL,
  last_seen BIGINT NOT NULL,
  scanned_at BIGINT NOT NULL,
  -- The evaluation of the policy that the actions of its instances come from.
  evaluation BIGINT NOT NULL
);
CREATE INDEX discovery_devices_reported ON discovery_devices (reported_id);
CREATE INDEX discovery_devices_first_seen ON discovery_devices (first_seen, id);
CREATE INDEX discovery_devices_last_seen ON discovery_devices (last_seen, id);
CREATE INDEX discovery_devices_evaluation ON discovery_devices (evaluation, id);

-- One MCP server, skill, memory file or agent, however many devices have it.
CREATE TABLE discovery_items (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  -- Fingerprint, digest or id, as the API shows it.
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  search_text TEXT NOT NULL,
  -- What all instances have in common.
  facts JSON NOT NULL,
  transport TEXT,
  endpoint_key TEXT,
  -- Whether it points to this gateway.
  managed BOOLEAN NOT NULL,
  -- The strictest of its instances; NULL: the policy has no rules for this kind.
  action TEXT,
  rule_id TEXT,
  review_status TEXT NOT NULL,
  note TEXT,
  reviewed_by TEXT,
  reviewed_at BIGINT,
  risk_score BIGINT NOT NULL,
  risk_reasons JSON NOT NULL,
  -- Devices, users and instances that have it now.
  devices_count BIGINT NOT NULL,
  users_count BIGINT NOT NULL,
  instances_count BIGINT NOT NULL,
  first_seen BIGINT NOT NULL,
  -- To the minute.
  last_seen BIGINT NOT NULL
);
CREATE UNIQUE INDEX discovery_items_key ON discovery_items (kind, key);
CREATE INDEX discovery_items_first_seen ON discovery_items (kind, first_seen, id, devices_count);
CREATE INDEX discovery_items_risk ON discovery_items (kind, risk_score, id);
CREATE INDEX discovery_items_devices ON discovery_items (kind, devices_count, id);
CREATE INDEX discovery_items_endpoint ON discovery_items (endpoint_key);
CREATE INDEX discovery_items_last_seen ON discovery_items (last_seen, id);
-- Everything that the summary counts.
CREATE INDEX discovery_items_summary
  ON discovery_items (kind, action, managed, risk_score, review_status, devices_count, first_seen);

-- An item in one place on one device.
CREATE TABLE discovery_instances (
  id TEXT PRIMARY KEY,
  item_id TEXT NOT NULL REFERENCES discovery_items (id) ON DELETE CASCADE,
  device_id TEXT NOT NULL REFERENCES discovery_devices (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  client TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  scope TEXT NOT NULL,
  username TEXT,
  -- Who counts as its user: an email, or the name of an account on the device.
  user_key TEXT NOT NULL,
  -- Everything else that was reported, without secrets.
  details JSON NOT NULL,
  -- The score in three digits, a space, and the reasons.
  risk TEXT NOT NULL,
  action TEXT,
  rule_id TEXT,
  first_seen BIGINT NOT NULL,
  last_seen BIGINT NOT NULL,
  removed_at BIGINT
);
CREATE INDEX discovery_instances_device ON discovery_instances (device_id, removed_at);
CREATE INDEX discovery_instances_item ON discovery_instances (item_id, removed_at, first_seen, id);
CREATE INDEX discovery_instances_removed ON discovery_instances (removed_at) WHERE removed_at IS NOT NULL;

-- How many present instances of an item have a client, a name, a risk, or an action.
CREATE TABLE discovery_item_counts (
  item_id TEXT NOT NULL REFERENCES discovery_items (id) ON DELETE CASCADE,
  -- 'client', 'name', 'risk' or 'action'
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (item_id, type, value)
);
CREATE INDEX discovery_item_counts_value ON discovery_item_counts (type, value, count);

-- How many present instances of an item a user has.
CREATE TABLE discovery_item_users (
  item_id TEXT NOT NULL REFERENCES discovery_items (id) ON DELETE CASCADE,
  user_key TEXT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (item_id, user_key)
);

-- An instance that the policy warns about or blocks, from then until it is gone or allowed.
CREATE TABLE discovery_violations (
  id TEXT PRIMARY KEY,
  instance_id TEXT NOT NULL REFERENCES discovery_instances (id) ON DELETE CASCADE,
  item_id TEXT NOT NULL,
  device_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  action TEXT NOT NULL,
  rule_id TEXT,
  policy_version BIGINT NOT NULL,
  -- What the device did about it, as it reported.
  enforcement TEXT,
  opened_at BIGINT NOT NULL,
  resolved_at BIGINT
);
CREATE UNIQUE INDEX discovery_violations_open ON discovery_violations (instance_id) WHERE resolved_at IS NULL;
CREATE INDEX discovery_violations_newest_open ON discovery_violations (opened_at, id) WHERE resolved_at IS NULL;
CREATE INDEX discovery_violations_newest ON discovery_violations (opened_at, id);
CREATE INDEX discovery_violations_device ON discovery_violations (device_id, opened_at, id);
CREATE INDEX discovery_violations_item ON discovery_violations (item_id, opened_at, id);
CREATE INDEX discovery_violations_instance ON discovery_violations (instance_id);
CREATE INDEX discovery_violations_resolved ON discovery_violations (resolved_at) WHERE resolved_at IS NOT NULL;

-- The policy about discovered MCP servers and skills. One row.
CREATE TABLE discovery_policy (
  id BIGINT PRIMARY KEY,
  version BIGINT NOT NULL,
  -- Also increases when something else changes decisions, such as a review.
  evaluation BIGINT NOT NULL,
  enforcement TEXT NOT NULL,
  default_mcp_servers TEXT NOT NULL,
  default_skills TEXT NOT NULL,
  always_allow_managed BOOLEAN NOT NULL,
  notify_users BOOLEAN NOT NULL,
  updated_at BIGINT NOT NULL,
  updated_by TEXT
);
INSERT INTO discovery_policy VALUES (1, 1, 1, 'monitor', 'warn', 'allow', TRUE, TRUE, 0, NULL);

CREATE TABLE discovery_rules (
  id TEXT PRIMARY KEY,
  position BIGINT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  kind TEXT NOT NULL,
  action TEXT NOT NULL,
  match JSON NOT NULL,
  message TEXT,
  expires_at BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX discovery_rules_position ON discovery_rules (position, id);

CREATE TABLE discovery_policy_history (
  id TEXT PRIMARY KEY,
  version BIGINT NOT NULL,
  at BIGINT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  operation TEXT NOT NULL,
  rule_id TEXT,
  rule_name TEXT,
  before JSON,
  after JSON
);
CREATE INDEX discovery_policy_history_at ON discovery_policy_history (at, id);

-- Discovered servers and skills are compared with known ones.
CREATE INDEX registry_entries_endpoint ON registry_entries (endpoint_key);
CREATE INDEX skill_versions_digest ON skill_versions (digest);
