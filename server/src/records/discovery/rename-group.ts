import { fold } from "#lib/fold";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryRuleRow } from "#storage/discovery-tables";
import { listRules, requestEvaluation, updateRule } from "./policy.ts";

/**
 * Rules follow a group to its new name. Otherwise, a rename would switch them off, and another group that gets the old name
 * would inherit them (decision 0263).
 */
export async function renameGroupInRules(tx: MainTransaction, from: string, to: string): Promise<void> {
  if (!(await listRules(tx)).some((rule) => names(rule, from))) return;
  await requestEvaluation(tx);
  // Read again, because the policy is locked only now.
  for (const rule of (await listRules(tx)).filter((each) => names(each, from))) {
    const groups = groupsOf(rule).map((name) => (isSame(name, from) ? to : name));
    await updateRule(tx, rule.id, { match: { ...rule.match, groups: [...new Set(groups)] } });
  }
}

function names(rule: DiscoveryRuleRow, group: string): boolean {
  return groupsOf(rule).some((name) => isSame(name, group));
}

function groupsOf({ match: { groups } }: DiscoveryRuleRow): unknown[] {
  return Array.isArray(groups) ? groups : [];
}

function isSame(name: unknown, group: string): boolean {
  return typeof name === "string" && fold(name) === fold(group);
}
