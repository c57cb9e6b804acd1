import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type ServerEntry, settingsOfRules } from "./claude-code-settings.ts";
import { compilePolicy, evaluate } from "./evaluate.ts";
import { serverFacts } from "./facts.ts";
import { fingerprintOf } from "./normalize-server.ts";
import type { Action, Policy, PolicyRule, RuleMatch } from "./policy-types.ts";

const NOW = 1_000;
const GATEWAYS = ["http://127.0.0.1:8080/mcp"];

interface Server {
  readonly name: string;
  readonly url?: string;
  readonly line?: readonly string[];
}

function policyOf(rules: readonly (readonly [Action, RuleMatch])[], always_allow_managed = true): Policy {
  return {
    ...{ version: 1, enforcement: "enforce", notify_users: false, always_allow_managed },
    default_actions: { mcp_servers: "allow", skills: "allow" },
    rules: rules.map(([action, match], at): PolicyRule => {
      const name = `rule ${at}`;
      return { id: `r${at}`, name, kind: "mcp_server", action, enabled: true, position: at, match };
    }),
  };
}

function decide(policy: Policy, { name, url, line: [command, ...args] = [] }: Server) {
  const target =
    url === undefined ? ({ transport: "stdio", command, args } as const) : ({ transport: "http", url } as const);
  const server = { name, client: "claude-code", ...target, fingerprint: fingerprintOf(target) };
  return evaluate(compilePolicy(policy), serverFacts(server as never, GATEWAYS), { now: NOW });
}

function settingsOf(policy: Policy, inventory: readonly Server[] = []) {
  const decided = inventory.map((server) => ({ server, decision: decide(policy, server) }));
  const allowed = decided.filter(({ decision }) => decision.action !== "block");
  return settingsOfRules({
    ...{ policy, gatewayUrls: GATEWAYS, now: NOW },
    allowedNames: new Set(allowed.map(({ server }) => server.name)),
    commandsOf: (id) =>
      decided.flatMap(({ server: { line }, decision }) => (line && decision.rule_id === id ? [line] : [])),
  });
}

/** As Claude Code does. */
function isDenied(entry: ServerEntry, { name, url, line }: Server): boolean {
  if ("serverName" in entry) return entry.serverName === name;
  if ("serverCommand" in entry) return JSON.stringify(entry.serverCommand) === JSON.stringify(line);
  const pattern = entry.serverUrl.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return url !== undefined && new RegExp(`^${pattern}$`).test(url);
}

const NAMES = ["github", "evil", "good"];
const HOSTS = ["example.com", "good.example.com", "evil.example.com", "127.0.0.1:8080", "127.0.0.1", "other.test"];
const LINES = [
  ["npx", "bad"],
  ["npx", "-y", "bad"],
  ["npx", "@acme/good"],
  ["uvx", "tool"],
  ["node", "x.js"],
];
const url = fc
  .tuple(fc.constantFrom("https", "http"), fc.constantFrom(...HOSTS), fc.constantFrom("", "/mcp", "/sse", "/mcp/evil"))
  .map(([scheme, host, path]) => `${scheme}://${host}${path}`);
const server: fc.Arbitrary<Server> = fc.oneof(
  fc.record({ name: fc.constantFrom(...NAMES), url }),
  fc.record({ name: fc.constantFrom(...NAMES), line: fc.constantFrom(...LINES) }),
);
const some = <Value>(...values: Value[]) => fc.subarray(values, { minLength: 1, maxLength: 2 });
const urlGlob = fc.oneof(
  url,
  url.map((each) => `${each}*`),
  fc.constantFrom("*", "http://*", "https://*.example.com/*", "*/mcp", "*evil*", "https://{good,evil}.example.com/*"),
);
const condition: fc.Arbitrary<RuleMatch> = fc.oneof(
  fc.record({ name: some(...NAMES, "e*", "*") }),
  fc.record({ url: fc.array(urlGlob, { minLength: 1, maxLength: 2 }) }),
  fc.record({
    host: some("*.example.com", "example.com", "good.example.com", "127.0.0.1", "*", "[eo]*", "other.test"),
  }),
  fc.record({ package: some("npm:bad", "npm:@acme/*", "pypi:*") }),
  fc.record({ command: some("npx", "n*") }),
  fc.record({ publisher: some("@acme", "*.example.com", "example.com") }),
  fc.record({ transport: some("stdio" as const, "http" as const) }),
  fc.record({ client: some("claude-code", "cursor") }),
  fc.record({ managed: fc.boolean() }),
  fc.record({ unpinned: fc.boolean() }),
  fc.record({ min_risk: fc.constantFrom(1, 30) }),
);
const match = fc.oneof(
  { weight: 3, arbitrary: condition },
  { weight: 1, arbitrary: fc.tuple(condition, condition).map(([a, b]): RuleMatch => ({ ...a, ...b })) },
);
const rules = fc.array(fc.tuple(fc.constantFrom<Action>("allow", "warn", "block", "block"), match), { maxLength: 5 });

describe("the settings of Claude Code", () => {
  it("deny nothing that the policy does not block", () => {
    fc.assert(
      fc.property(
        rules,
        fc.boolean(),
        fc.array(server, { maxLength: 8 }),
        server,
        (given, managed, inventory, other) => {
          const policy = policyOf(given, managed);
          const { denied } = settingsOf(policy, [...inventory, other]);
          for (const each of [...inventory, other]) {
            const { action } = decide(policy, each);
            const by = denied.find((entry) => isDenied(entry, each));
            assert.ok(action === "block" || by === undefined, JSON.stringify({ each, action, by, rules: given }));
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("deny no URL that the policy does not block, also of servers that were not found yet", () => {
    fc.assert(
      fc.property(rules, fc.boolean(), url, (given, managed, target) => {
        const policy = policyOf(given, managed);
        const denied = settingsOf(policy).denied.filter((entry) => "serverUrl" in entry);
        const later = { name: "later", url: target };
        const by = denied.find((entry) => isDenied(entry, later));
        assert.ok(by === undefined || decide(policy, later).action === "block", JSON.stringify({ by, target, given }));
      }),
      { numRuns: 2000 },
    );
  });

  const OVERLAPPING: [RuleMatch, RuleMatch][] = [
    [{ host: ["good.example.com"] }, { host: ["*.example.com"] }],
    [{ host: ["good.example.com"] }, { url: ["https://*.example.com/*"] }],
    [{ url: ["https://good.example.com/mcp"] }, { host: ["*.example.com"] }],
    [{ publisher: ["good.example.com"] }, { host: ["good*"] }],
    [{ host: ["api.github.com"] }, { name: ["github"] }],
    [{ review_status: ["approved"] }, { host: ["other.test"] }],
    [{ name: ["git*"], client: ["claude-code"] }, { name: ["github"] }],
  ];
  for (const [allow, block] of OVERLAPPING)
    it(`leave out ${JSON.stringify(block)} after an allowed ${JSON.stringify(allow)}, and say why`, () => {
      const policy = policyOf([
        ["allow", allow],
        ["block", block],
      ]);
      const { denied, skipped } = settingsOf(policy);
      assert.deepEqual(denied, []);
      assert.match(
        skipped.at(-1)?.reason ?? "",
        /^Claude Code would also deny what the rule "rule 0" does not block: /,
      );
      assert.ok(
        settingsOf(
          policyOf([
            ["block", block],
            ["allow", allow],
          ]),
        ).denied.length > 0,
      );
    });

  const SEPARATE: [RuleMatch, RuleMatch][] = [
    [{ host: ["good.example.com"] }, { host: ["*.evil.test"] }],
    [{ host: ["api.github.com"], name: ["github"] }, { url: ["https://evil.test/*"] }],
    [{ url: ["https://good.example.com/*"] }, { host: ["*.evil.test"] }],
    [{ package: ["npm:@acme/*"] }, { host: ["*.example.com"] }],
    [{ transport: ["stdio"] }, { url: ["https://evil.test/*"] }],
    [{ client: ["cursor"] }, { host: ["*.example.com"] }],
    [{ name: ["good"] }, { name: ["github"] }],
    [{ managed: true }, { host: ["*.example.com"] }],
  ];
  for (const [allow, block] of SEPARATE)
    it(`keep ${JSON.stringify(block)} after an allowed ${JSON.stringify(allow)}`, () => {
      assert.ok(
        settingsOf(
          policyOf([
            ["allow", allow],
            ["block", block],
          ]),
        ).denied.length > 0,
      );
    });

  it("do not deny the gateway while it is always allowed", () => {
    for (const match of [{ url: ["http://127.0.0.1*"] }, { host: ["127.0.0.1"] }, { host: ["*"] }]) {
      const { denied, skipped } = settingsOf(policyOf([["block", match]]));
      assert.deepEqual(denied, []);
      assert.match(skipped[0]?.reason ?? "", /^Claude Code would also deny this gateway: /);
      assert.ok(settingsOf(policyOf([["block", match]], false)).denied.length > 0);
    }
  });

  it("keep the values of a rule that deny nothing else", () => {
    const match = { host: ["*.example.com", "evil.test"] };
    const { denied, skipped } = settingsOf(
      policyOf([
        ["allow", { host: ["good.example.com"] }],
        ["block", match],
      ]),
    );
    assert.deepEqual(denied, [{ serverUrl: "https://evil.test/*" }, { serverUrl: "http://evil.test/*" }]);
    assert.equal(skipped.length, 1);
  });
});
