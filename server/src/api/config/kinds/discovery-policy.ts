import { invalid } from "#lib/errors";
import { isObject } from "#lib/is-object";
import {
  type ConfigObject,
  changesOf,
  dataOf,
  type Kind,
  type KindNeeds,
  pick,
  readAll,
  withoutNulls,
} from "../kind.ts";

const FIELDS = ["name", "enforcement", "default_actions", "always_allow_managed", "notify_users", "rules"];
const RULE_FIELDS = ["name", "description", "enabled", "kind", "action", "match", "message", "expires_at"];
const NAME = "organization";

/** The policy of AI discovery: one object. Its rules have the order of the file, and are identified by kind and name. */
export const discoveryPolicy: Kind = {
  name: "discovery-policy",
  key: "name",
  fields: FIELDS,
  exact: ["rules"],
  complete: (object) => (object.rules === undefined ? object : { ...object, rules: rulesOf(object).map(completeRule) }),
  async read({ invoke }) {
    const policy = dataOf(await invoke("getDiscoveryPolicy"));
    const rules = (await readAll(invoke, "listDiscoveryRules")).map((rule) => pick(rule, RULE_FIELDS));
    return [pick({ ...policy, name: NAME, rules }, FIELDS)];
  },
  async create() {
    throw new Error("the policy always exists");
  },
  async update(needs, _before, { rules, ...settings }) {
    if (Object.keys(settings).length > 0) await needs.invoke("updateDiscoveryPolicy", { body: settings });
    if (rules !== undefined) await setRules(needs, rulesOf({ rules }));
  },
};

function rulesOf({ rules }: ConfigObject): ConfigObject[] {
  if (!Array.isArray(rules) || !rules.every(isObject)) throw invalid("config.discovery-policy", "rules must be a list");
  return rules;
}

/** Rules are replaced completely, so that a removed condition is a change. */
function completeRule(rule: ConfigObject): ConfigObject {
  const expires = typeof rule.expires_at === "string" ? Date.parse(rule.expires_at) : Number.NaN;
  return {
    ...{ description: "", enabled: true, message: null, expires_at: null },
    ...rule,
    ...(!Number.isNaN(expires) && { expires_at: new Date(expires).toISOString() }),
  };
}

/** Rules that exist keep their ID, and with it their violations. */
async function setRules({ invoke }: KindNeeds, wanted: readonly ConfigObject[]): Promise<void> {
  const stored = await readAll(invoke, "listDiscoveryRules");
  const remaining = [...stored];
  const ids: string[] = [];
  for (const rule of wanted.map(completeRule)) {
    const index = remaining.findIndex(({ name, kind }) => name === rule.name && kind === rule.kind);
    const [before] = index === -1 ? [] : remaining.splice(index, 1);
    if (!before) {
      ids.push(String(dataOf(await invoke("createDiscoveryRule", { body: withoutNulls(rule) })).id));
      continue;
    }
    const changes = changesOf({ exact: ["match"] }, before, rule);
    const id = String(before.id);
    if (Object.keys(changes).length > 0) await invoke("updateDiscoveryRule", { query: { id }, body: changes });
    ids.push(id);
  }
  for (const { id } of remaining) await invoke("deleteDiscoveryRule", { query: { id: String(id) } });
  const kept = stored.map(({ id }) => String(id)).filter((id) => ids.includes(id));
  const isInOrder = ids.every((id, index) => kept[index] === id || (!kept.includes(id) && index >= kept.length));
  if (!isInOrder) await invoke("orderDiscoveryRules", { body: { ids } });
}
