import type { DiscoveryDeviceRow, DiscoveryInstanceRow, DiscoveryItemRow } from "#storage/discovery-tables";

/** Rows of AI discovery for tests of records. */
export function deviceRow(id: string, rest: Partial<DiscoveryDeviceRow> = {}): DiscoveryDeviceRow {
  return {
    ...{ id, reported_id: id, serial_hash: null, hostname: `host-${id}`, os: "linux", os_version: null, arch: null },
    ...{ is_wsl: false, is_container: false, usernames: [], username: null, reported_email: null },
    ...{ assigned_email: null, search_text: id, agent_name: null, agent_version: null, retired: false },
    ...{ token_id: "tok", token_name: "Fleet", warnings: [], counts: {}, scan_errors: [], recent_reports: [] },
    ...{ first_seen: 1, last_seen: 1, scanned_at: 1, evaluation: 1, content_digest: null, content_at: 1 },
    ...rest,
  };
}

export function itemRow(id: string, rest: Partial<DiscoveryItemRow> = {}): DiscoveryItemRow {
  return {
    ...{ id, kind: "mcp_server", key: id, name: id, search_text: id, facts: {}, transport: "stdio" },
    ...{ endpoint_key: null, managed: false, action: null, rule_id: null, review_status: "unreviewed", note: null },
    ...{ reviewed_by: null, reviewed_at: null, risk_score: 0, risk_reasons: [], devices_count: 0, users_count: 0 },
    ...{ instances_count: 0, first_seen: 1, last_seen: 1 },
    ...rest,
  } as DiscoveryItemRow;
}

export function instanceRow(
  id: string,
  { item_id, device_id, ...rest }: Partial<DiscoveryInstanceRow> & { item_id: string; device_id: string },
): DiscoveryInstanceRow {
  return {
    ...{ id, item_id, device_id, kind: "mcp_server", client: "cursor", name: "github", path: "~/.cursor/mcp.json" },
    ...{ scope: "user", username: "ada", user_key: "ada", details: {}, risk: "005 not_managed", action: "warn" },
    ...{ rule_id: null, first_seen: 1, last_seen: 1, removed_at: null },
    ...rest,
  } as DiscoveryInstanceRow;
}
