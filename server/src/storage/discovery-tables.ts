/** The rows of AI discovery: devices, what they reported, and the policy about it. */

export const DISCOVERY_KINDS = ["mcp_server", "skill", "agent_memory", "agent"] as const;
export type DiscoveryKind = (typeof DISCOVERY_KINDS)[number];

export const POLICY_ACTIONS = ["allow", "warn", "block"] as const;
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

export const REVIEW_STATUSES = ["unreviewed", "approved", "rejected", "ignored"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

export const DEVICE_SYSTEMS = ["darwin", "linux", "win32"] as const;

export interface AppliedReport {
  id: string;
  accepted: Record<string, number>;
  removed: number;
  rejected: { path: string; reason: string }[];
}

export interface DiscoveryDeviceRow {
  id: string;
  reported_id: string;
  serial_hash: string | null;
  hostname: string;
  os: string;
  os_version: string | null;
  arch: string | null;
  is_wsl: boolean;
  is_container: boolean;
  usernames: string[];
  username: string | null;
  reported_email: string | null;
  assigned_email: string | null;
  search_text: string;
  agent_name: string | null;
  agent_version: string | null;
  retired: boolean;
  token_id: string;
  token_name: string;
  warnings: string[];
  counts: Record<string, number>;
  scan_errors: { path: string; code: string }[];
  recent_reports: AppliedReport[];
  first_seen: number;
  last_seen: number;
  /** When the newest applied report was scanned, never later than it arrived. */
  scanned_at: number;
  evaluation: number;
  /** Of the last applied report; null before the first one. */
  content_digest: string | null;
  /** When the last report with other content was applied. */
  content_at: number;
}

export interface DiscoveryItemRow {
  id: string;
  kind: DiscoveryKind;
  key: string;
  name: string;
  search_text: string;
  facts: Record<string, unknown>;
  transport: string | null;
  endpoint_key: string | null;
  managed: boolean;
  action: PolicyAction | null;
  rule_id: string | null;
  review_status: ReviewStatus;
  note: string | null;
  reviewed_by: string | null;
  reviewed_at: number | null;
  risk_score: number;
  risk_reasons: string[];
  devices_count: number;
  users_count: number;
  instances_count: number;
  first_seen: number;
  last_seen: number;
}

export interface DiscoveryInstanceRow {
  id: string;
  item_id: string;
  device_id: string;
  kind: DiscoveryKind;
  client: string;
  name: string;
  path: string;
  scope: string;
  username: string | null;
  user_key: string;
  details: Record<string, unknown>;
  /** The score in three digits, a space, and the reasons with commas. */
  risk: string;
  action: PolicyAction | null;
  rule_id: string | null;
  first_seen: number;
  last_seen: number;
  removed_at: number | null;
}

export interface DiscoveryViolationRow {
  id: string;
  instance_id: string;
  item_id: string;
  device_id: string;
  kind: DiscoveryKind;
  action: PolicyAction;
  rule_id: string | null;
  policy_version: number;
  enforcement: string | null;
  opened_at: number;
  resolved_at: number | null;
}

export interface DiscoveryPolicyRow {
  id: number;
  version: number;
  evaluation: number;
  enforcement: "monitor" | "enforce";
  default_mcp_servers: PolicyAction;
  default_skills: PolicyAction;
  always_allow_managed: boolean;
  notify_users: boolean;
  updated_at: number;
  updated_by: string | null;
  /** Until when expired rules were taken into account. */
  expiries_until: number;
  /** The last revision whose changes of users and groups were taken into account. */
  followed_revision: number;
}

export interface DiscoveryRuleRow {
  id: string;
  position: number;
  name: string;
  description: string;
  enabled: boolean;
  kind: "mcp_server" | "skill";
  action: PolicyAction;
  match: Record<string, unknown>;
  message: string | null;
  expires_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface DiscoveryHistoryRow {
  id: string;
  version: number;
  at: number;
  actor_id: string;
  actor_name: string;
  operation: string;
  rule_id: string | null;
  rule_name: string | null;
  before: object | null;
  after: object | null;
}

/** What present instances of an item are counted by. An action's value is its rank, a space, and the rule. */
export type CountType = "client" | "name" | "risk" | "action";

export interface DiscoveryTables {
  discovery_devices: DiscoveryDeviceRow;
  discovery_items: DiscoveryItemRow;
  discovery_instances: DiscoveryInstanceRow;
  discovery_item_counts: { item_id: string; type: CountType; value: string; count: number };
  discovery_item_users: { item_id: string; user_key: string; count: number };
  /** SKILL.md of a skill. */
  discovery_skill_texts: { item_id: string; skill_md: string; received_at: number };
  /** Devices that sent a text of a skill that does not match its digest (decision 0192). */
  discovery_refused_texts: { device_id: string; item_id: string; refused_at: number };
  discovery_violations: DiscoveryViolationRow;
  discovery_policy: DiscoveryPolicyRow;
  discovery_rules: DiscoveryRuleRow;
  discovery_policy_history: DiscoveryHistoryRow;
}
