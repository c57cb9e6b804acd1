import { isDeepStrictEqual } from "node:util";
import type { ApiContext } from "#api/kit/api-context";
import { insertHistory, lockPolicy, updatePolicy } from "#records/discovery";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryPolicyRow, DiscoveryRuleRow } from "#storage/discovery-tables";
import type { Actor, WriteTrail } from "#storage/transaction";

interface Change {
  /** Fields of the policy itself. */
  readonly fields?: Partial<DiscoveryPolicyRow>;
  readonly rule?: Pick<DiscoveryRuleRow, "id" | "name">;
  readonly before?: object;
  readonly after?: object;
}

interface Writing {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
  readonly actor: Actor;
  readonly context: ApiContext;
}

/**
 * Every change has a version, an entry of the history and an audit entry, and all decisions are made again. A request that
 * changes nothing has none of them.
 */
export async function changePolicy(
  { tx, trail, actor, context }: Writing,
  operation: string,
  change: (policy: DiscoveryPolicyRow, now: number) => Promise<Change>,
): Promise<DiscoveryPolicyRow> {
  const policy = await lockPolicy(tx);
  const now = context.clock.now();
  const { fields = {}, rule, before, after } = await change(policy, now);
  if (before && after && isDeepStrictEqual(before, after)) return policy;
  const changed = {
    ...fields,
    version: policy.version + 1,
    evaluation: policy.evaluation + 1,
    updated_at: now,
    updated_by: actor.name,
  };
  await updatePolicy(tx, changed);
  await insertHistory(tx, {
    ...{ id: context.newId("pch"), version: changed.version, at: now, actor_id: actor.id, actor_name: actor.name },
    ...{ operation, rule_id: rule?.id ?? null, rule_name: rule?.name ?? null },
    ...(before && after ? changedFields(before, after) : { before: before ?? null, after: after ?? null }),
  });
  const target = rule
    ? { kind: "discovery-rule", id: rule.id, name: rule.name }
    : { kind: "discovery-policy", id: "policy", name: "AI discovery policy" };
  trail.audit({ operation, target, ...(before && { before }), ...(after && { after }) });
  return { ...policy, ...changed };
}

/** Both have the same keys. */
function changedFields(before: object, after: object): { before: object; after: object } {
  const values = new Map<string, unknown>(Object.entries(after));
  const changed = Object.entries(before).filter(([key, value]) => !isDeepStrictEqual(value, values.get(key)));
  return {
    before: Object.fromEntries(changed),
    after: Object.fromEntries(changed.map(([key]) => [key, values.get(key)])),
  };
}
