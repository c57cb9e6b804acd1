import { type ServerEntry, settingsOfRules } from "#policy/claude-code-settings";
import type { DiscoveryInstanceRow, DiscoveryPolicyRow, DiscoveryRuleRow } from "#storage/discovery-tables";
import { policyOf } from "./policy-reader.ts";

export interface ClaudeCodeExport {
  readonly deniedMcpServers: readonly ServerEntry[];
  readonly allowedMcpServers: readonly ServerEntry[];
  /** Ready to be used. Contains the allowed servers only if everything else is blocked, and they are all of them. */
  readonly settings: {
    readonly deniedMcpServers: readonly ServerEntry[];
    readonly allowedMcpServers?: readonly ServerEntry[];
  };
  readonly skipped: readonly { readonly rule_id: string; readonly reason: string }[];
}

interface Inventory {
  /** Instances that each rule decided about, by rule. */
  readonly instancesOf: (ruleId: string) => readonly Pick<DiscoveryInstanceRow, "details">[];
  /** Names of servers in Claude Code that the policy does not block. */
  readonly allowedNames: ReadonlySet<string>;
  readonly gatewayUrls: readonly string[];
}

/** The part of the policy that Claude Code can enforce itself. There, denied entries always win. */
export function claudeCodeSettings(
  policy: DiscoveryPolicyRow,
  rules: readonly DiscoveryRuleRow[],
  { instancesOf, allowedNames, gatewayUrls }: Inventory,
  now: number,
): ClaudeCodeExport {
  const { denied, allowed, skipped, allowsAll } = settingsOfRules({
    ...{ policy: policyOf(policy, rules), gatewayUrls, allowedNames, now },
    commandsOf: (ruleId) => instancesOf(ruleId).flatMap(commandLine),
  });
  const gateway = policy.always_allow_managed ? gatewayUrls.map((url) => ({ serverUrl: `${url}*` })) : [];
  const allowedMcpServers = [...gateway, ...allowed];
  const isAllowlist = policy.default_mcp_servers === "block" && allowsAll;
  const settings = { deniedMcpServers: denied, ...(isAllowlist && { allowedMcpServers }) };
  return { deniedMcpServers: denied, allowedMcpServers, settings, skipped };
}

function commandLine({ details: { command, args } }: Pick<DiscoveryInstanceRow, "details">): string[][] {
  if (typeof command !== "string") return [];
  return [[command, ...(Array.isArray(args) ? args.filter((arg) => typeof arg === "string") : [])]];
}
