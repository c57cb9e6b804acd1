/** The one function that decides about discovered items: in the service, in the dry run, and on the device. */
import { type Condition, compileConditions } from "./conditions.ts";
import type { Action, Decision, ItemFacts, Policy, PolicyContext, PolicyRule, TraceStep } from "./policy-types.ts";

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

const STRICTNESS: Readonly<Record<Action, number>> = { allow: 0, warn: 1, block: 2 };

/**
 * Managed items first, then the first rule of the kind that matches, then the default action. Of several packages or
 * commands, the one with the strictest decision.
 */
export function evaluate(compiled: CompiledPolicy, facts: ItemFacts, context: PolicyContext): Decision {
  return strictest(partsOf(facts).map((part) => decide(compiled, part, context, undefined)));
}

/** Also explains why earlier rules did not match. */
export function evaluateWithTrace(compiled: CompiledPolicy, facts: ItemFacts, context: PolicyContext): TracedDecision {
  return strictest(
    partsOf(facts).map((part) => {
      const trace: TraceStep[] = [];
      return { ...decide(compiled, part, context, trace), trace };
    }),
  );
}

/** What a part of a command can lack. Stored parts do not have these fields then, and those of the first must not count for them. */
const NO_PACKAGE = { package: undefined, publishers: undefined, unpinned: undefined };

/** The facts with those of each part of the command. */
export function partsOf(facts: ItemFacts): readonly [ItemFacts, ...ItemFacts[]] {
  return [facts, ...(facts.also ?? []).map((part) => ({ ...facts, ...NO_PACKAGE, ...part }))];
}

/** The first of those with the strictest action. */
function strictest<D extends Decision>(decisions: readonly D[]): D {
  return decisions.reduce((one, other) => (STRICTNESS[other.action] > STRICTNESS[one.action] ? other : one));
}

function decide(
  { policy, rules }: CompiledPolicy,
  facts: ItemFacts,
  context: PolicyContext,
  trace: TraceStep[] | undefined,
): Decision {
  if (facts.managed === true && policy.always_allow_managed) return managedDecision(policy);
  for (const each of rules) {
    const failed = failedCondition(each, facts, context);
    trace?.push({ rule_id: each.rule.id, matched: failed === null, failed_condition: failed });
    if (failed !== null) continue;
    return ruleDecision(policy, each.rule);
  }
  return defaultDecision(policy, facts.kind);
}

/** The decision that a policy made before, by the rule that it came from. */
export function decisionOfRule(
  { policy, rules }: CompiledPolicy,
  kind: ItemFacts["kind"],
  ruleId: string | null,
): Decision {
  if (ruleId === MANAGED) return managedDecision(policy);
  const decided = rules.find(({ rule }) => rule.id === ruleId);
  return decided ? ruleDecision(policy, decided.rule) : defaultDecision(policy, kind);
}

const MANAGED = "managed";

function managedDecision({ version: policy_version }: Policy): Decision {
  const reason = "Managed by the gateway";
  return { action: "allow", rule_id: MANAGED, rule_name: null, reason, message: null, policy_version };
}

function ruleDecision({ version: policy_version }: Policy, { id, name, action, message = null }: PolicyRule): Decision {
  return { action, rule_id: id, rule_name: name, reason: `Rule "${name}"`, message, policy_version };
}

function defaultDecision({ version: policy_version, default_actions }: Policy, kind: ItemFacts["kind"]): Decision {
  const action = kind === "skill" ? default_actions.skills : default_actions.mcp_servers;
  const reason = `Default action for ${kind === "skill" ? "skills" : "MCP servers"}`;
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
