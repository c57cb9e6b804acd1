import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DiscoveryPolicyRow, DiscoveryRuleRow } from "#storage/discovery-tables";
import { claudeCodeSettings } from "./claude-code-settings.ts";

const NOW = 1_000;
const GATEWAY = "https://gw.acme.com/mcp";
type Instance = { details: Record<string, unknown> };

function rule(match: object, rest: object = {}): DiscoveryRuleRow {
  const base = { id: "r", kind: "mcp_server", action: "block", enabled: true, expires_at: null };
  return { ...base, match, ...rest } as unknown as DiscoveryRuleRow;
}

function settingsOf(rules: readonly DiscoveryRuleRow[], policy: object = {}, instances: readonly Instance[] = []) {
  const row = { always_allow_managed: true, default_mcp_servers: "warn", ...policy } as unknown as DiscoveryPolicyRow;
  const inventory = { instancesOf: () => instances, allowedNames: new Set<string>(), gatewayUrls: [GATEWAY] };
  return claudeCodeSettings(row, rules, inventory, NOW);
}

function skippedBecause(match: object, rest: object = {}): string | undefined {
  const { skipped, deniedMcpServers } = settingsOf([rule(match, rest)]);
  assert.deepEqual(deniedMcpServers, []);
  return skipped[0]?.reason;
}

describe("the settings for Claude Code", () => {
  it("skip rules that they cannot express, and say why", () => {
    const match = { name: ["x"] };
    assert.equal(skippedBecause(match, { enabled: false }), "The rule is disabled");
    assert.equal(skippedBecause(match, { expires_at: NOW }), "The rule has expired");
    assert.equal(skippedBecause(match, { kind: "skill" }), "Claude Code has no setting for skills");
    assert.equal(skippedBecause(match, { action: "warn" }), "Claude Code cannot warn");
    assert.equal(skippedBecause({}), "Claude Code supports only rules with one condition");
    assert.equal(skippedBecause({ ...match, os: ["linux"] }), "Claude Code supports only rules with one condition");
    for (const name of ["x*", "x?", "[x]", "{x,y}"])
      assert.equal(skippedBecause({ name: ["y", name] }), "Claude Code supports no patterns of names");
    for (const host of ["x?", "[x]", "{x,y}"]) {
      assert.equal(skippedBecause({ host: [host] }), "Claude Code supports only * in URLs");
      assert.equal(skippedBecause({ url: [`https://${host}`] }), "Claude Code supports only * in URLs");
    }
    assert.equal(skippedBecause({ min_risk: 5 }), "Claude Code has no setting for the condition min_risk");
    assert.deepEqual(settingsOf([rule(match, { expires_at: NOW + 1 })]).deniedMcpServers, [{ serverName: "x" }]);
  });

  it("list each command line that a rule decided about once, and at most 500", () => {
    const instance = (args: unknown): Instance => ({ details: { command: "npx", args } });
    const packages = rule({ package: ["npm:*"] }, { action: "allow" });
    const found = [instance(["x"]), instance(["x"]), instance(undefined), { details: { url: "https://x" } }];
    assert.deepEqual(settingsOf([packages], { always_allow_managed: false }, found).allowedMcpServers, [
      { serverCommand: ["npx", "x"] },
      { serverCommand: ["npx"] },
    ]);
    const many = (count: number) => Array.from({ length: count }, (_, n) => instance([String(n)]));
    assert.equal(settingsOf([packages], {}, many(500)).allowedMcpServers.length, 501);
    assert.equal(settingsOf([packages], {}, many(501)).skipped[0]?.reason, "Too many different command lines");
  });

  it("leave out command lines with secrets or home folders, which are not stored", () => {
    const packages = rule({ package: ["npm:*"] });
    const lines = [["--key", "[REDACTED]"], ["~/work"], ["--dir=~"], ["C:\\a~1"], ["pkg@~1.2"]];
    const found = lines.map((args) => ({ details: { command: "npx", args } }));
    assert.deepEqual(settingsOf([packages], {}, found).deniedMcpServers, [
      { serverCommand: ["npx", "C:\\a~1"] },
      { serverCommand: ["npx", "pkg@~1.2"] },
    ]);
    const { skipped } = settingsOf([packages], {}, found.slice(0, 3));
    assert.match(skipped[0]?.reason ?? "", /^The known command lines contain secrets or home folders/);
  });

  it("contain no allowlist that would block what a rule allows or only warns about", () => {
    const blocking = { default_mcp_servers: "block" };
    const hosts = rule({ host: ["a.example"] }, { action: "allow" });
    assert.equal(settingsOf([hosts], blocking).settings.allowedMcpServers?.length, 3);
    for (const other of [
      rule({ host: ["b.example"] }, { action: "warn" }),
      rule({ managed: true }, { action: "allow" }),
      rule({ package: ["npm:*"] }, { action: "allow" }),
    ])
      assert.equal(settingsOf([hosts, other], blocking).settings.allowedMcpServers, undefined);
  });

  it("say that allowed command lines are not all that a rule allows", () => {
    const packages = rule({ package: ["npm:*"] }, { action: "allow" });
    const { allowedMcpServers, skipped } = settingsOf([packages], {}, [{ details: { command: "npx", args: ["x"] } }]);
    assert.deepEqual(allowedMcpServers.at(-1), { serverCommand: ["npx", "x"] });
    assert.match(skipped[0]?.reason ?? "", /^Claude Code can allow only complete command lines/);
  });

  it("contain an allowlist only if everything else is blocked, with the gateway if it is always allowed", () => {
    const gateway = [{ serverUrl: `${GATEWAY}*` }];
    assert.deepEqual(settingsOf([]).settings, { deniedMcpServers: [] });
    const blocking = { default_mcp_servers: "block" };
    assert.deepEqual(settingsOf([], blocking).settings, { deniedMcpServers: [], allowedMcpServers: gateway });
    const none = { ...blocking, always_allow_managed: false };
    assert.deepEqual(settingsOf([], none).settings, { deniedMcpServers: [], allowedMcpServers: [] });
  });
});
