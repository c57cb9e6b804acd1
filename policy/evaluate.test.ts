import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compilePolicy, decisionOfRule, evaluate, evaluateWithTrace } from "./evaluate.ts";
import type { ItemFacts, Policy, PolicyContext, PolicyRule, RuleMatch } from "./policy-types.ts";

const NOW = Date.parse("2026-11-01T00:00:00Z");
const SERVER: ItemFacts = {
  kind: "mcp_server",
  name: "Linear",
  url: "https://mcp.linear.app/mcp",
  host: "mcp.linear.app",
  package: "npm:@acme/server",
  command: "npx",
  publishers: ["@acme", "acme"],
  transport: "http",
  fingerprint: "sha256:ab",
  client: "cursor",
  scope: "user",
  review_status: "approved",
  managed: false,
  registered: true,
  in_registry: true,
  unpinned: false,
  risk: 40,
};
const SKILL: ItemFacts = { kind: "skill", name: "pdf", digest: "sha256:cd", has_scripts: true, risk: 10 };
const CONTEXT: PolicyContext = {
  now: NOW,
  device_id: "device-1",
  os: "linux",
  user: "ada@acme.com",
  groups: ["Finance"],
};

function rule(match: object, rest: Partial<PolicyRule> = {}): PolicyRule {
  const base = { id: "r1", name: "First", kind: "mcp_server", action: "block", enabled: true, position: 1 } as const;
  return { ...base, match: match as RuleMatch, ...rest };
}

function policyOf(rules: readonly PolicyRule[], rest: Partial<Policy> = {}): Policy {
  return {
    ...{ version: 3, enforcement: "enforce", always_allow_managed: true, notify_users: true },
    default_actions: { mcp_servers: "warn", skills: "allow" },
    rules,
    ...rest,
  };
}

function decide(rules: readonly PolicyRule[], facts = SERVER, context = CONTEXT, rest: Partial<Policy> = {}) {
  return evaluate(compilePolicy(policyOf(rules, rest)), facts, context);
}

/** Whether a rule with this condition alone matches. */
function matches(match: object, facts = SERVER, context = CONTEXT): boolean {
  return decide([rule(match, { kind: facts.kind })], facts, context).rule_id === "r1";
}

describe("a decision", () => {
  it("allows no part of a command because of the package of the first", () => {
    for (const condition of [{ package: ["npm:@acme/*"] }, { publisher: ["acme"] }, { unpinned: false }]) {
      const rules = [rule(condition, { action: "allow" })];
      const stored = { ...SERVER, also: [{ starts: ["npx"] }] };
      assert.deepEqual(
        [decide(rules).action, decide(rules, stored).action],
        ["allow", "warn"],
        Object.keys(condition)[0],
      );
    }
  });

  it("allows managed items before all rules only if the policy says so", () => {
    const managed = { ...SERVER, managed: true };
    const all = [rule({ name: ["*"] })];
    assert.deepEqual(decide(all, managed), {
      ...{ action: "allow", rule_id: "managed", rule_name: null, reason: "Managed by the gateway", message: null },
      policy_version: 3,
    });
    assert.equal(decide(all, managed, CONTEXT, { always_allow_managed: false }).rule_id, "r1");
  });

  it("skips rules of the other kind", () => {
    assert.equal(decide([rule({ name: ["*"] }, { kind: "skill" })]).rule_id, null);
    assert.equal(decide([rule({ name: ["*"] })], SKILL).rule_id, null);
  });

  it("skips a rule from the millisecond at which it expires", () => {
    const brief = [rule({ name: ["*"] }, { expires_at: new Date(NOW).toISOString() })];
    assert.equal(decide(brief, SERVER, { ...CONTEXT, now: NOW - 1 }).rule_id, "r1");
    assert.equal(decide(brief).rule_id, null);
  });

  it("has the name and the message of its rule, and the version of the policy", () => {
    assert.deepEqual(decide([rule({ name: ["linear"] }, { message: "Ask security" })]), {
      ...{ action: "block", rule_id: "r1", rule_name: "First", reason: 'Rule "First"', message: "Ask security" },
      policy_version: 3,
    });
    const byDefault = { rule_id: null, rule_name: null, message: null, policy_version: 3 };
    assert.deepEqual(decide([]), { action: "warn", reason: "Default action for MCP servers", ...byDefault });
    assert.deepEqual(decide([], SKILL), { action: "allow", reason: "Default action for skills", ...byDefault });
  });

  it("explains each rule up to the one that matched", () => {
    const rules = [
      rule({ name: ["x"] }, { id: "no" }),
      rule({ name: ["linear"] }, { id: "yes", position: 2 }),
      rule({ name: ["*"] }, { id: "later", position: 3 }),
    ];
    assert.deepEqual(evaluateWithTrace(compilePolicy(policyOf(rules)), SERVER, CONTEXT).trace, [
      { rule_id: "no", matched: false, failed_condition: "name" },
      { rule_id: "yes", matched: true, failed_condition: null },
    ]);
  });

  it("explains which condition of a rule failed first", () => {
    const rules = [
      rule({ os: ["win32"], name: ["x"], url: ["x"] }),
      rule({ name: ["*"] }, { kind: "skill" }),
      rule({}),
      rule({ name: ["*"] }, { enabled: false }),
      rule({ name: ["*"] }, { expires_at: new Date(NOW).toISOString() }),
    ];
    const { trace } = evaluateWithTrace(compilePolicy(policyOf(rules)), SERVER, CONTEXT);
    assert.deepEqual(
      trace.map(({ failed_condition }) => failed_condition),
      ["name", "kind", "match", "disabled", "expired"],
    );
  });

  it("can be repeated from the rule that made it", () => {
    const compiled = compilePolicy(policyOf([rule({ name: ["x"] }, { message: "Ask security" })]));
    const again = (kind: ItemFacts["kind"], id: string | null) => decisionOfRule(compiled, kind, id);
    assert.deepEqual(
      [again("mcp_server", "managed").action, again("mcp_server", "managed").rule_id],
      ["allow", "managed"],
    );
    assert.deepEqual([again("mcp_server", "r1").action, again("mcp_server", "r1").message], ["block", "Ask security"]);
    assert.deepEqual([again("mcp_server", null).action, again("skill", "deleted").action], ["warn", "allow"]);
  });
});

describe("a condition", () => {
  for (const [match, other] of [
    [{ name: ["lin*"] }, { name: ["lan*"] }],
    [{ url: ["https://mcp.linear.app/mcp/"] }, { url: ["https://mcp.linear.app/"] }],
    [{ host: ["*.linear.app"] }, { host: ["linear.app"] }],
    [{ package: ["npm:@acme/*"] }, { package: ["npm:acme/*"] }],
    [{ command: ["np?"] }, { command: ["node"] }],
    [{ publisher: ["acme"] }, { publisher: ["other"] }],
    [{ transport: ["stdio", "http"] }, { transport: ["stdio"] }],
    [{ fingerprint: ["SHA256:AB"] }, { fingerprint: ["sha256:a*"] }],
    [{ client: ["Cursor"] }, { client: ["cur*"] }],
    [{ scope: ["user"] }, { scope: ["project"] }],
    [{ review_status: ["approved"] }, { review_status: ["rejected"] }],
    [{ groups: ["sales", "finance"] }, { groups: ["sales"] }],
    [{ users: ["ADA@acme.com"] }, { users: ["kim@acme.com"] }],
    [{ devices: ["Device-1"] }, { devices: ["device-2"] }],
    [{ os: ["linux"] }, { os: ["win32"] }],
    [{ managed: false }, { managed: true }],
    [{ registered: true }, { registered: false }],
    [{ in_registry: true }, { in_registry: false }],
    [{ unpinned: false }, { unpinned: true }],
    [{ min_risk: 40 }, { min_risk: 41 }],
    [{ name: "linear" }, { name: 7 }],
  ] as const) {
    it(`holds for ${JSON.stringify(match)} and not for ${JSON.stringify(other)}`, () => {
      assert.deepEqual([matches(match), matches(other)], [true, false]);
    });
  }

  it("ignores the case of the reported value", () => {
    assert.ok(matches({ client: ["cursor"] }, { ...SERVER, client: "Cursor" }));
    assert.ok(matches({ groups: ["finance"] }, SERVER, { ...CONTEXT, groups: ["FINANCE"] }));
  });

  it("holds for skills by digest and by scripts", () => {
    assert.deepEqual(
      [matches({ digest: ["sha256:cd"] }, SKILL), matches({ digest: ["sha256:ce"] }, SKILL)],
      [true, false],
    );
    assert.deepEqual([matches({ has_scripts: true }, SKILL), matches({ has_scripts: false }, SKILL)], [true, false]);
  });

  it("never holds for a fact that is not known", () => {
    const bare: ItemFacts = { kind: "mcp_server", name: "x" };
    for (const match of [
      { registered: false },
      { unpinned: false },
      { min_risk: 0 },
      { url: ["*"] },
      { publisher: ["*"] },
    ])
      assert.equal(matches(match, bare), false, JSON.stringify(match));
    for (const match of [{ users: ["*"] }, { groups: ["Finance"] }, { os: ["linux"] }])
      assert.equal(matches(match, bare, { now: NOW }), false, JSON.stringify(match));
    // A policy file of another version can say `null`, which is not a value either.
    assert.equal(matches({ registered: null }, bare), false);
    assert.equal(matches({ min_risk: "0" }), false);
  });

  it("keeps the slash of a URL that is only a pattern", () => {
    assert.ok(matches({ url: ["https://*/"] }, { ...SERVER, url: "https://a/" }));
    assert.equal(matches({ url: ["https://*/"] }, { ...SERVER, url: "https://a" }), false);
    for (const url of ["https://evil.example/.linear.app/mcp", "https://$x.linear.app/mcp"])
      assert.equal(matches({ url: ["https://*.linear.app/*"] }, { ...SERVER, url }), false, url);
    assert.ok(matches({ url: ["file://"] }, { ...SERVER, url: "file://" }));
    for (const url of [
      "https://MCP.linear.app:443/mcp",
      "https://ada@mcp.linear.app./mcp#a",
      "https://mcp.linear.app/mcp/",
    ])
      assert.ok(matches({ url: [url] }), url);
    for (const host of ["mcp.linear.app:443", "https://mcp.linear.app/mcp", "mcp.linear.app."])
      assert.ok(matches({ host: [host] }), host);
    for (const host of ["linear.app", "mcp.linear.app:8443"]) assert.equal(matches({ host: [host] }), false, host);
    assert.equal(matches({ name: ["linear/"] }), false, "only URLs have a slash that does not count");
  });

  it("ignores a pattern that is invalid", () => {
    assert.deepEqual([matches({ name: ["[", "linear"] }), matches({ name: ["["] })], [true, false]);
  });
});
