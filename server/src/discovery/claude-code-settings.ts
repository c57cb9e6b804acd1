import type { DiscoveryInstanceRow, DiscoveryPolicyRow, DiscoveryRuleRow } from "#storage/discovery-tables";

/** An entry of `allowedMcpServers` or `deniedMcpServers` in the managed settings of Claude Code. */
export type ServerEntry =
  | { readonly serverName: string }
  | { readonly serverUrl: string }
  | { readonly serverCommand: readonly string[] };

export interface ClaudeCodeExport {
  readonly deniedMcpServers: readonly ServerEntry[];
  readonly allowedMcpServers: readonly ServerEntry[];
  /** Ready to be used. Contains the allowed servers only if everything else is blocked. */
  readonly settings: {
    readonly deniedMcpServers: readonly ServerEntry[];
    readonly allowedMcpServers?: readonly ServerEntry[];
  };
  readonly skipped: readonly { readonly rule_id: string; readonly reason: string }[];
}

const MOST_COMMANDS = 500;
const BY_COMMAND = ["package", "command", "fingerprint"];

/** The part of the policy that Claude Code can enforce itself. There, denied entries always win. */
export function claudeCodeSettings(
  policy: DiscoveryPolicyRow,
  rules: readonly DiscoveryRuleRow[],
  /** Instances that each rule decided about, by rule. */
  instancesOf: (ruleId: string) => readonly Pick<DiscoveryInstanceRow, "details">[],
  gatewayUrls: readonly string[],
  now: number,
): ClaudeCodeExport {
  const denied: ServerEntry[] = [];
  const allowed: ServerEntry[] = policy.always_allow_managed
    ? gatewayUrls.map((url) => ({ serverUrl: `${url}*` }))
    : [];
  const skipped: { rule_id: string; reason: string }[] = [];
  for (const rule of rules) {
    const entries = entriesOf(rule, instancesOf, now);
    if (typeof entries === "string") skipped.push({ rule_id: rule.id, reason: entries });
    else (rule.action === "block" ? denied : allowed).push(...entries);
  }
  const isAllowlist = policy.default_mcp_servers === "block";
  const settings = { deniedMcpServers: denied, ...(isAllowlist && { allowedMcpServers: allowed }) };
  return { deniedMcpServers: denied, allowedMcpServers: allowed, settings, skipped };
}

/** A text says why the rule cannot be expressed. */
function entriesOf(
  { id, kind, action, enabled, match, expires_at: expires }: DiscoveryRuleRow,
  instancesOf: (ruleId: string) => readonly Pick<DiscoveryInstanceRow, "details">[],
  now: number,
): ServerEntry[] | string {
  if (!enabled) return "The rule is disabled";
  if (expires !== null && expires <= now) return "The rule has expired";
  if (kind !== "mcp_server") return "Claude Code has no setting for skills";
  if (action === "warn") return "Claude Code cannot warn";
  const [condition, ...others] = Object.keys(match);
  if (condition === undefined || others.length > 0) return "Claude Code supports only rules with one condition";
  const values = Array.isArray(match[condition]) ? match[condition].filter((value) => typeof value === "string") : [];
  if (condition === "name") {
    if (values.some((value) => /[*?[\]{}]/.test(value))) return "Claude Code supports no patterns of names";
    return values.map((serverName) => ({ serverName }));
  }
  if (condition === "url") return urlEntries(values, (value) => [value]);
  if (condition === "host") return urlEntries(values, (value) => [`https://${value}/*`, `http://${value}/*`]);
  if (!BY_COMMAND.includes(condition)) return `Claude Code has no setting for the condition ${condition}`;
  const commands = new Set(
    instancesOf(id).flatMap(({ details: { command, args } }) =>
      typeof command === "string" ? [JSON.stringify([command, ...(Array.isArray(args) ? args : [])])] : [],
    ),
  );
  if (commands.size > MOST_COMMANDS) return "Too many different command lines";
  return [...commands].map((command) => ({ serverCommand: JSON.parse(command) as string[] }));
}

function urlEntries(values: readonly string[], expand: (value: string) => readonly string[]): ServerEntry[] | string {
  if (values.some((value) => /[?[\]{}]/.test(value))) return "Claude Code supports only * in URLs";
  return values.flatMap((value) => expand(value).map((serverUrl) => ({ serverUrl })));
}
