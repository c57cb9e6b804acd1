/** The one function that decides about discovered items: in the service, in the dry run, and on the device. */
import { type Condition, compileConditions } from "./conditions.ts";
import type { Decision, ItemFacts, Policy, PolicyContext, PolicyRule, TraceStep } from "./policy-types.ts";

interface CompiledRule {
  readonly rule: PolicyRule;
  readonly conditions: readonly (readonly [string, Condition])[];
  readonly expiresAt: number;
}

export interface CompiledPolicy {
  readonly policy: Policy;
  readonly rules: readonly CompiledRule[];
}

export interface TracedDecision extends Decision {
  readonly trace: readonly TraceStep[];
}

/** Sorts the rules and compiles their globs. */
export function compilePolicy(policy: Policy): CompiledPolicy {
  const rules = [...policy.rules]
    .sort((a, b) => a.position - b.position)
    .map((rule) => ({ rule, conditions: compileConditions(rule.match), expiresAt: expiry(rule) }));
  return { policy, rules };
}

/** Managed items first, then the first rule of the kind that matches, then the default action. */
export function evaluate(compiled: CompiledPolicy, facts: ItemFacts, context: PolicyContext): Decision {
  return decide(compiled, facts, context, undefined);
}

/** Also explains why earlier rules did not match. */
export function evaluateWithTrace(compiled: CompiledPolicy, facts: ItemFacts, context: PolicyContext): TracedDecision {
  const trace: TraceStep[] = [];
  return { ...decide(compiled, facts, context, trace), trace };
}

function decide(
  { policy, rules }: CompiledPolicy,
  facts: ItemFacts,
  context: PolicyContext,
  trace: TraceStep[] | undefined,
): Decision {
  const { version: policy_version } = policy;
  if (facts.managed === true && policy.always_allow_managed) {
    const reason = "Managed by the gateway";
    return { action: "allow", rule_id: "managed", rule_name: null, reason, message: null, policy_version };
  }
  for (const each of rules) {
    const failed = failedCondition(each, facts, context);
    trace?.push({ rule_id: each.rule.id, matched: failed === null, failed_condition: failed });
    if (failed !== null) continue;
    const { id, name, action, message = null } = each.rule;
    return { action, rule_id: id, rule_name: name, reason: `Rule "${name}"`, message, policy_version };
  }
  const action = facts.kind === "skill" ? policy.default_actions.skills : policy.default_actions.mcp_servers;
  const reason = `Default action for ${facts.kind === "skill" ? "skills" : "MCP servers"}`;
  return { action, rule_id: null, rule_name: null, reason, message: null, policy_version };
}

/** Null if the rule matches. A rule without conditions never does. */
function failedCondition({ rule, conditions, expiresAt }: CompiledRule, facts: ItemFacts, context: PolicyContext) {
  if (!rule.enabled) return "disabled";
  if (rule.kind !== facts.kind) return "kind";
  if (context.now >= expiresAt) return "expired";
  if (conditions.length === 0) return "match";
  return conditions.find(([, holds]) => !holds(facts, context))?.[0] ?? null;
}

function expiry({ expires_at }: PolicyRule): number {
  return expires_at === undefined || expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
}
