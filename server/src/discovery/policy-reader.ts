import { type CompiledPolicy, compilePolicy } from "#policy/evaluate";
import type { Policy, PolicyRule } from "#policy/policy-types";
import { listRules, readPolicy } from "#records/discovery";
import type { MainDb } from "#storage/database";
import type { DiscoveryPolicyRow, DiscoveryRuleRow } from "#storage/discovery-tables";

export interface CurrentPolicy {
  readonly row: DiscoveryPolicyRow;
  readonly compiled: CompiledPolicy;
  /** The conditions of its rules for which equal instances on two devices can have different decisions. */
  readonly deviceConditions: readonly DeviceCondition[];
}

const DEVICE_CONDITIONS = ["groups", "users", "devices", "os"] as const;
export type DeviceCondition = (typeof DEVICE_CONDITIONS)[number];

export function deviceConditionsOf(rules: readonly Pick<PolicyRule, "match">[]): DeviceCondition[] {
  return DEVICE_CONDITIONS.filter((name) => rules.some(({ match }) => match[name] !== undefined));
}

/** Reads the policy, and compiles its rules again only if they can have changed: a renamed group changes no version. */
export class PolicyReader {
  #compiled: CurrentPolicy | undefined;

  async read(db: MainDb): Promise<CurrentPolicy> {
    const row = await readPolicy(db);
    if (this.#compiled?.row.evaluation !== row.evaluation) {
      this.#compiled = compileCurrent(row, await listRules(db));
    }
    return { ...this.#compiled, row };
  }
}

export function compileCurrent(row: DiscoveryPolicyRow, rules: readonly DiscoveryRuleRow[]): CurrentPolicy {
  const compiled = compilePolicy(policyOf(row, rules));
  return { row, compiled, deviceConditions: deviceConditionsOf(rules) };
}

export function policyOf(row: DiscoveryPolicyRow, rules: readonly DiscoveryRuleRow[]): Policy {
  return {
    version: row.version,
    enforcement: row.enforcement,
    default_actions: { mcp_servers: row.default_mcp_servers, skills: row.default_skills },
    always_allow_managed: row.always_allow_managed,
    notify_users: row.notify_users,
    rules: rules.map(ruleOf),
  };
}

export function ruleOf(row: DiscoveryRuleRow): PolicyRule {
  const { id, name, kind, action, enabled, position, match, message, expires_at: expires } = row;
  const expires_at = expires === null ? null : new Date(expires).toISOString();
  return { id, name, kind, action, enabled, position, match, message, expires_at };
}
