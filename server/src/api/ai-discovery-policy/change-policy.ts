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

/** Every change has a version, an entry of the history and an audit entry, and all decisions are made again. */
export async function changePolicy(
  { tx, trail, actor, context }: Writing,
  operation: string,
  change: (policy: DiscoveryPolicyRow, now: number) => Promise<Change>,
): Promise<DiscoveryPolicyRow> {
  const policy = await lockPolicy(tx);
  const now = context.clock.now();
  const { fields = {}, rule, before, after } = await change(policy, now);
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
    ...{ before: before ?? null, after: after ?? null },
  });
  const target = rule
    ? { kind: "discovery-rule", id: rule.id, name: rule.name }
    : { kind: "discovery-policy", id: "policy", name: "AI discovery policy" };
  trail.audit({ operation, target, ...(before && { before }), ...(after && { after }) });
  return { ...policy, ...changed };
}
