import type { EffectivePolicy, PolicyContext, PolicyRule, RuleMatch, ServiceFacts } from "#policy/policy-types";
import type { DiscoveryItemRow, DiscoveryPolicyRow, DiscoveryRuleRow } from "#storage/discovery-tables";
import type { KnownFacts } from "./known-facts.ts";
import { policyOf, ruleOf } from "./policy-reader.ts";

interface EffectiveNeeds {
  readonly row: DiscoveryPolicyRow;
  readonly rules: readonly DiscoveryRuleRow[];
  readonly context: PolicyContext;
  readonly deviceId: string;
  /** The servers and skills of the device. */
  readonly items: readonly DiscoveryItemRow[];
  readonly known: KnownFacts;
  readonly gatewayUrls: readonly string[];
}

/** The policy for one device. Rules about other devices and people are omitted, and names of others in the rest too. */
export function effectivePolicy({
  row,
  rules,
  context,
  deviceId,
  items,
  known,
  gatewayUrls,
}: EffectiveNeeds): EffectivePolicy {
  const facts: Record<string, ServiceFacts> = {};
  for (const item of items) {
    const registered =
      item.kind === "skill" ? known.isOwnSkill(item.key) : known.slugOf(item.endpoint_key) !== undefined;
    const review_status = item.review_status;
    facts[item.key] =
      item.kind === "skill"
        ? { registered, review_status }
        : { registered, in_registry: known.registryIdOf(item.endpoint_key) !== undefined, review_status };
  }
  return {
    ...policyOf(row, []),
    rules: rules.flatMap((rule) => (isCurrent(rule, context.now) ? (rulesFor(ruleOf(rule), context) ?? []) : [])),
    device: { id: deviceId, user: context.user ?? null, groups: context.groups ?? [] },
    gateway_urls: gatewayUrls,
    skill_digests: items.filter(({ kind, key }) => kind === "skill" && known.isOwnSkill(key)).map(({ key }) => key),
    facts,
  };
}

function isCurrent({ enabled, expires_at }: DiscoveryRuleRow, now: number): boolean {
  return enabled && (expires_at === null || expires_at > now);
}

/** Undefined if the rule is about other devices. */
function rulesFor(
  rule: PolicyRule,
  { user, groups = [], device_id: deviceId, os }: PolicyContext,
): PolicyRule | undefined {
  const own: Partial<Record<keyof RuleMatch, readonly string[]>> = {
    users: user === undefined ? [] : [user],
    groups,
    devices: deviceId === undefined ? [] : [deviceId],
    os: os === undefined ? [] : [os],
  };
  const match: Record<string, unknown> = { ...rule.match };
  for (const [name, values] of Object.entries(own)) {
    const wanted = rule.match[name as keyof RuleMatch];
    if (!Array.isArray(wanted)) continue;
    const folded = new Set(wanted.map((value) => String(value).toLowerCase()));
    const held = values.filter((value) => folded.has(value.toLowerCase()));
    if (held.length === 0) return undefined;
    match[name] = held;
  }
  return { ...rule, match };
}
