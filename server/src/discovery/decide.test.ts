import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PolicyContext, RuleMatch } from "#policy/policy-types";
import type { DiscoveryPolicyRow, DiscoveryRuleRow } from "#storage/discovery-tables";
import { createFactsCache, type DecidedInstance, type DecidedItem, factsOf, Judge } from "./decide.ts";
import type { KnownFacts } from "./known-facts.ts";
import { compileCurrent } from "./policy-reader.ts";

const GATEWAY_URLS = ["https://gw.acme.com/mcp"];
const KNOWN: KnownFacts = {
  slugOf: (endpoint) => (endpoint === "registered" ? "slug" : undefined),
  registryIdOf: (endpoint) => (endpoint === "listed" ? "id" : undefined),
  isOwnSkill: (digest) => digest === "own",
};
const ITEM: DecidedItem = { key: "sha256:ab", endpoint_key: null, review_status: "unreviewed" };
const SERVER: DecidedInstance = {
  ...{ kind: "mcp_server", name: "x", client: "cursor", scope: "user" },
  details: { transport: "stdio", command: "npx", args: ["acme"], package: { type: "npm", name: "acme" } },
};
const REMOTE: DecidedInstance = { ...SERVER, details: { transport: "http", url: "https://x.example/mcp" } };
const SKILL: DecidedInstance = { ...SERVER, kind: "skill", details: { has_scripts: true, issues: ["hidden_unicode"] } };
const CONTEXT: PolicyContext = { now: 0, device_id: "one", os: "linux", user: "ada@acme.com", groups: ["Finance"] };

function facts(instance: DecidedInstance, item: Partial<DecidedItem> = {}) {
  return factsOf(instance, { ...ITEM, ...item }, KNOWN, GATEWAY_URLS);
}

describe("the facts about a stored instance", () => {
  it("are those of its command, without values of other types", () => {
    const { facts: found, risk } = facts(SERVER);
    assert.deepEqual([found?.command, found?.package, found?.transport], ["npx", "npm:acme", "stdio"]);
    assert.deepEqual([found?.fingerprint, found?.client, found?.scope], [ITEM.key, "cursor", "user"]);
    assert.deepEqual(risk.reasons, ["unpinned_package", "unknown_publisher", "not_managed"]);
    const odd = facts({ ...SERVER, details: { transport: "x", command: 1, args: "acme", url: 1 } }).facts;
    assert.deepEqual([odd?.transport, odd?.command, odd?.url], ["stdio", undefined, undefined]);
    const mixed = { ...SERVER.details, args: [1, "acme"] };
    assert.equal(facts({ ...SERVER, details: mixed }).facts?.package, "npm:acme");
  });

  it("contain what the service knows about a server, also in its risk", () => {
    for (const [endpoint_key, registered, in_registry] of [
      ["registered", true, false],
      ["listed", false, true],
      ["other", false, false],
    ] as const) {
      const { facts: found, risk } = facts(REMOTE, { endpoint_key, review_status: "approved" });
      assert.deepEqual([found?.registered, found?.in_registry], [registered, in_registry]);
      assert.deepEqual([found?.url, found?.review_status], ["https://x.example/mcp", "approved"]);
      assert.equal(risk.reasons.includes("unknown_publisher"), endpoint_key === "other");
      assert.equal(found?.risk, risk.score);
    }
  });

  it("say that a server at a URL of the gateway is managed", () => {
    const { facts: found, risk } = facts({ ...REMOTE, details: { transport: "http", url: GATEWAY_URLS[0] } });
    assert.deepEqual([found?.managed, risk.score], [true, 0]);
  });

  it("say that a skill of the organization is managed and registered", () => {
    const own = facts(SKILL, { key: "own", review_status: "approved" });
    assert.deepEqual([own.facts?.managed, own.facts?.registered, own.facts?.review_status], [true, true, "approved"]);
    assert.deepEqual(own.risk.reasons, ["hidden_unicode", "has_scripts"]);
    const other = facts(SKILL);
    assert.deepEqual([other.facts?.managed, other.facts?.registered], [false, false]);
    assert.deepEqual([other.facts?.digest, other.facts?.has_scripts, other.facts?.scope], [ITEM.key, true, "user"]);
    assert.deepEqual([other.facts?.name, other.facts?.client], ["x", "cursor"]);
    assert.deepEqual(other.risk.reasons, ["hidden_unicode", "has_scripts", "not_managed"]);
    const plain = facts({ ...SKILL, details: { has_scripts: "yes" } });
    assert.deepEqual([plain.facts?.has_scripts, plain.risk.reasons], [false, ["not_managed"]]);
  });

  it("are not known for agent memory, which only has a risk", () => {
    const memory = facts({ ...SKILL, kind: "agent_memory" });
    assert.deepEqual([memory.facts, memory.risk.reasons], [undefined, ["hidden_unicode"]]);
  });
});

describe("the judgment of instances", () => {
  function judgeBy(match: RuleMatch, kind: "mcp_server" | "skill" = "mcp_server"): Judge {
    const row = { version: 1, default_mcp_servers: "allow", default_skills: "warn" } as unknown as DiscoveryPolicyRow;
    const rule = { id: "r", name: "R", kind, action: "block", enabled: true, position: 1, match, expires_at: null };
    const policy = compileCurrent(row, [rule as unknown as DiscoveryRuleRow]);
    return new Judge({ policy, known: KNOWN, gatewayUrls: GATEWAY_URLS, facts: createFactsCache() });
  }

  it("has the decision, the risk with three digits, and whether the item is managed", () => {
    const judgment = judgeBy({ name: ["x"] }).judge(SERVER, ITEM, CONTEXT);
    assert.deepEqual([judgment.decision?.action, judgment.managed], ["block", false]);
    assert.equal(judgment.risk, "030 unpinned_package,unknown_publisher,not_managed");
    const managed = { ...REMOTE, details: { transport: "http", url: GATEWAY_URLS[0] } };
    assert.equal(judgeBy({ name: ["x"] }).judge(managed, ITEM, CONTEXT).managed, true);
    const memory = judgeBy({ name: ["x"] }).judge({ ...SKILL, kind: "agent_memory" }, ITEM, CONTEXT);
    assert.deepEqual(memory, { decision: undefined, risk: "050 hidden_unicode", managed: false });
  });

  it("is made once for equal instances on devices that the rules do not distinguish", () => {
    const judge = judgeBy({ name: ["x"] });
    const first = judge.judge(SERVER, ITEM, CONTEXT);
    assert.equal(judge.judge({ ...SERVER }, ITEM, { ...CONTEXT, device_id: "two", os: "win32" }), first);
  });

  it("shares facts with later transactions while what is known about the item stays the same", () => {
    const policy = compileCurrent({ version: 1, default_skills: "warn" } as unknown as DiscoveryPolicyRow, []);
    const cache = createFactsCache();
    const judge = (known: KnownFacts, item: DecidedItem = ITEM) =>
      new Judge({ policy, known, gatewayUrls: GATEWAY_URLS, facts: cache }).judge(SERVER, item, CONTEXT).risk;
    const unknown = { slugOf: () => undefined, registryIdOf: () => undefined, isOwnSkill: () => false };
    const risk = judge(unknown);
    assert.match(risk, /unknown_publisher/);
    assert.deepEqual([judge(unknown), cache.size], [risk, 1]);
    assert.doesNotMatch(judge({ ...unknown, slugOf: () => "x" }), /unknown_publisher/);
    assert.doesNotMatch(judge({ ...unknown, registryIdOf: () => "x" }), /unknown_publisher/);
    judge(unknown, { ...ITEM, review_status: "approved" });
    assert.equal(cache.size, 4);
  });

  it("differs between devices that a rule distinguishes", () => {
    for (const [match, other] of [
      [{ devices: ["one"] }, { device_id: "two" }],
      [{ os: ["linux"] }, { os: "win32" }],
      [{ users: ["ada@acme.com"] }, { user: undefined }],
      [{ groups: ["Finance"] }, { groups: ["Sales"] }],
    ] as const) {
      const judge = judgeBy(match);
      const actions = [CONTEXT, { ...CONTEXT, ...other }, CONTEXT].map(
        (context) => judge.judge(SERVER, ITEM, context).decision?.action,
      );
      assert.deepEqual(actions, ["block", "allow", "block"], JSON.stringify(match));
    }
  });

  it("differs between instances that differ in what a decision or a risk depends on", () => {
    const judge = judgeBy({ name: ["x"] });
    const details = { ...SERVER.details, ...SKILL.details, env_keys: ["A"], url: "https://x.example" };
    const base = { ...SERVER, details };
    const first = judge.judge(base, ITEM, CONTEXT);
    const differences: Partial<DecidedInstance>[] = [
      { kind: "skill" },
      { name: "y" },
      { client: "claude-code" },
      { scope: "project" },
      ...["transport", "command", "args", "env_keys", "url", "package", "has_scripts", "issues"].map((name) => ({
        details: { ...base.details, [name]: null },
      })),
    ];
    for (const difference of differences)
      assert.notEqual(judge.judge({ ...base, ...difference }, ITEM, CONTEXT), first, JSON.stringify(difference));
    assert.notEqual(judge.judge(base, { ...ITEM, key: "other" }, CONTEXT), first);
  });
});
