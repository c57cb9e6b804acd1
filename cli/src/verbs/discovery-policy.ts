import type { Operations, Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages } from "../read-pages.ts";
import { JSON_BODY, LIMIT, type Noun, verb, YES } from "../verb.ts";

const ACTION = { type: "choice", choices: ["allow", "warn", "block"] } as const;

const showPolicy = verb({
  description: "Show the policy",
  example: "gatehouse discovery-policy show",
  async run({ api, out }) {
    out.record((await api().getDiscoveryPolicy()).data);
  },
});

const updatePolicy = verb({
  description: "Change the policy",
  options: {
    enforcement: {
      type: "choice",
      choices: ["monitor", "enforce"],
      description: "whether devices remove blocked items",
    },
    servers: { ...ACTION, description: "default action for MCP servers" },
    skills: { ...ACTION, description: "default action for skills" },
    "allow-managed": { type: "switch", description: "always allow what uses this gateway" },
    "notify-users": { type: "switch", description: "devices notify their users" },
  },
  example: "gatehouse discovery-policy update --servers block --enforcement enforce",
  async run({ api, options, out }) {
    const defaults = given({ mcp_servers: options.servers, skills: options.skills });
    const body = given({
      enforcement: options.enforcement,
      default_actions: Object.keys(defaults).length > 0 ? defaults : undefined,
      always_allow_managed: options["allow-managed"],
      notify_users: options["notify-users"],
    });
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass an option such as --servers");
    const { data } = await api().updateDiscoveryPolicy({ body });
    out.say(`Updated the policy to version ${data.version}.`);
    out.record(data);
  },
});

const rules = verb({
  description: "List the rules in their order",
  example: "gatehouse discovery-policy rules",
  async run({ api, out }) {
    const columns: Columns<Schemas["DiscoveryRule"]> = {
      "#": (rule) => rule.position,
      NAME: (rule) => rule.name,
      KIND: (rule) => rule.kind,
      ACTION: (rule) => rule.action,
      ENABLED: (rule) => rule.enabled,
      MATCH: (rule) => JSON.stringify(rule.match),
      ID: (rule) => rule.id,
    };
    const { data } = await api().listDiscoveryRules({ query: { limit: 200 } });
    out.list(data, columns, "No rules. Default actions apply.");
  },
});

type NewRule = Schemas["CreateDiscoveryRule"];
const RULE_EXAMPLE = `--json '{"kind":"mcp_server","action":"block","match":{"host":["*.evil.example"]}}'`;

const createRule = verb({
  description: "Create a rule; kind, action and match are in --json",
  args: ["name"],
  options: { json: JSON_BODY },
  example: `gatehouse discovery-policy create-rule Evil ${RULE_EXAMPLE}`,
  async run(call) {
    const fields = await jsonBody<NewRule>(call, call.options.json);
    // The API names missing fields.
    const { data } = await call.api().createDiscoveryRule({ body: { ...fields, name: call.args.name } as NewRule });
    call.out.say(`Created rule \`${data.name}\` at position ${data.position}.`);
    call.out.record(data);
  },
});

const updateRule = verb({
  description: "Change a rule; other fields such as match are in --json",
  args: ["id"],
  options: {
    name: { type: "text", hint: "name", description: "name of the rule" },
    action: { ...ACTION, description: "what the rule decides" },
    enabled: { type: "switch", description: "whether the rule applies" },
    json: JSON_BODY,
  },
  example: "gatehouse discovery-policy update-rule rule_01kc… --action warn --no-enabled",
  async run(call) {
    const { name, action, enabled, json } = call.options;
    const body = {
      ...(await jsonBody<Schemas["UpdateDiscoveryRule"]>(call, json)),
      ...given({ name, action, enabled }),
    };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass an option such as --action");
    const { data } = await call.api().updateDiscoveryRule({ query: { id: call.args.id }, body });
    call.out.say(`Updated rule \`${data.name}\`.`);
    call.out.record(data);
  },
});

const deleteRule = verb({
  description: "Delete a rule",
  args: ["id"],
  options: { yes: YES },
  example: "gatehouse discovery-policy delete-rule rule_01kc… --yes",
  async run({ api, args, out, confirm }) {
    await confirm(`Delete rule \`${args.id}\`?`);
    await api().deleteDiscoveryRule({ query: { id: args.id } });
    out.say(`Deleted rule \`${args.id}\`.`);
  },
});

const order = verb({
  description: "Order the rules; name every rule once",
  rest: "id",
  example: "gatehouse discovery-policy order rule_b rule_a",
  async run({ api, rest, out }) {
    await api().orderDiscoveryRules({ body: { ids: rest } });
    out.say("Ordered the rules.");
  },
});

type PolicyChange = Operations["listDiscoveryPolicyHistory"]["answer"]["data"][number];

const history = verb({
  description: "List changes of the policy, newest first",
  options: { limit: LIMIT },
  example: "gatehouse discovery-policy history --limit 10",
  async run({ api, options: { limit }, out }) {
    const client = api();
    const rows = await readPages<PolicyChange, number>(limit, async (most, cursor) => {
      const { data, pagination } = await client.listDiscoveryPolicyHistory({ query: { limit: most, cursor } });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<PolicyChange> = {
      VERSION: (change) => change.version,
      TIME: (change) => change.ts,
      ACTOR: (change) => change.actor,
      OPERATION: (change) => change.operation,
      RULE: (change) => change.rule_name,
      AFTER: (change) => JSON.stringify(change.after),
    };
    out.list(rows, columns, "The policy was not changed yet.");
  },
});

const evaluate = verb({
  description: "Decide about an item in --json, and explain the decision",
  options: { json: JSON_BODY, device: { type: "text", hint: "id", description: "ID of a device" } },
  example: `gatehouse discovery-policy evaluate --json '{"kind":"mcp_server","url":"https://mcp.example.com/mcp"}'`,
  async run(call) {
    const { json, device } = call.options;
    const item = await jsonBody<NonNullable<Schemas["EvaluateDiscoveryPolicy"]["item"]>>(call, json);
    // The API names missing fields.
    const body = { item, ...given({ device_id: device }) } as Schemas["EvaluateDiscoveryPolicy"];
    call.out.record((await call.api().evaluateDiscoveryPolicy({ body })).data);
  },
});

const dryRun = verb({
  description: "Show what a proposed policy in --json would change",
  options: { json: JSON_BODY },
  example: `gatehouse discovery-policy dry-run --json '{"default_actions":{"mcp_servers":"block"}}'`,
  timeoutSeconds: 120,
  async run(call) {
    const body = await jsonBody<Schemas["DryRunDiscoveryPolicy"]>(call, call.options.json);
    call.out.record((await call.api().dryRunDiscoveryPolicy({ body })).data);
  },
});

const exportPolicy = verb({
  description: "Show the part of the policy that a client can enforce itself",
  args: ["client"],
  example: "gatehouse discovery-policy export claude-code",
  async run({ api, args, out }) {
    out.record((await api().exportDiscoveryPolicy({ query: { target: args.client } })).data);
  },
});

export const discoveryPolicy: Noun = {
  description: "Which discovered MCP servers and skills are allowed",
  verbs: {
    ...{ show: showPolicy, update: updatePolicy, rules, "create-rule": createRule },
    ...{ "update-rule": updateRule, "delete-rule": deleteRule, history },
    ...{ order, evaluate, "dry-run": dryRun, export: exportPolicy },
  },
  example: "gatehouse discovery-policy rules",
};
