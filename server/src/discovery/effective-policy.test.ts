import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DiscoveryItemRow, DiscoveryPolicyRow, DiscoveryRuleRow } from "#storage/discovery-tables";
import { effectivePolicy } from "./effective-policy.ts";

const CONTEXT = { now: 1_000, device_id: "one", os: "linux", user: "ada@acme.com", groups: ["Finance"] } as const;
const ROW = { version: 1, enforcement: "enforce", default_mcp_servers: "warn" } as unknown as DiscoveryPolicyRow;

function effective(rules: readonly object[], items: readonly object[] = []) {
  return effectivePolicy({
    row: ROW,
    rules: rules.map((rest) => ({ id: "r", enabled: true, expires_at: null, ...rest })) as DiscoveryRuleRow[],
    context: CONTEXT,
    deviceId: "one",
    items: items as DiscoveryItemRow[],
    known: {
      slugOf: (endpoint) => (endpoint === "registered" ? "slug" : undefined),
      registryIdOf: (endpoint) => (endpoint === "listed" ? "id" : undefined),
      isOwnSkill: (digest) => digest === "own",
    },
    gatewayUrls: [],
  });
}

describe("the policy for a device", () => {
  it("contains rules about the device, its user, groups and system, without the names of others", () => {
    for (const [match, sent] of [
      [{ devices: ["ONE", "two"] }, { devices: ["one"] }],
      [{ users: ["Ada@acme.com", "kim@acme.com"] }, { users: ["ada@acme.com"] }],
      [{ groups: ["finance", "sales"] }, { groups: ["Finance"] }],
      [{ os: ["linux", "darwin"] }, { os: ["linux"] }],
      [{ name: ["a", "b"] }, { name: ["a", "b"] }],
    ])
      assert.deepEqual(
        effective([{ match }]).rules.map((rule) => rule.match),
        [sent],
      );
  });

  it("omits rules about others, disabled rules, and rules from the time at which they expire", () => {
    for (const match of [{ devices: ["two"] }, { users: ["kim@acme.com"] }, { groups: ["Sales"] }, { os: ["win32"] }])
      assert.deepEqual(effective([{ match }]).rules, [], JSON.stringify(match));
    const match = { name: ["*"] };
    assert.deepEqual(
      effective([
        { match, enabled: false },
        { match, expires_at: 1_000 },
      ]).rules,
      [],
    );
    assert.equal(effective([{ match, expires_at: 1_001 }]).rules.length, 1);
  });

  it("contains what the service knows about the items of the device", () => {
    const items = [
      { kind: "mcp_server", key: "a", endpoint_key: "registered", review_status: "approved" },
      { kind: "mcp_server", key: "b", endpoint_key: "listed", review_status: "unreviewed" },
      { kind: "skill", key: "own", endpoint_key: null, review_status: "unreviewed" },
      { kind: "skill", key: "other", endpoint_key: null, review_status: "rejected" },
    ];
    const { facts, skill_digests } = effective([], items);
    assert.deepEqual(facts, {
      a: { registered: true, in_registry: false, review_status: "approved" },
      b: { registered: false, in_registry: true, review_status: "unreviewed" },
      own: { registered: true, review_status: "unreviewed" },
      other: { registered: false, review_status: "rejected" },
    });
    assert.deepEqual(skill_digests, ["own"]);
  });
});
