import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EffectivePolicy } from "#policy/policy-types";
import type { ReportedServer } from "#policy/types";
import { policyWith } from "../../test/fake-service.ts";
import { deniedServers } from "./managed-settings.ts";

const NOW = 1_000;

function denied(match: object, rest: object = {}, blocked: readonly string[] = []) {
  const policy: EffectivePolicy = policyWith([{ match, ...rest }]);
  return deniedServers(policy, { allowed: [], blocked: blocked.map(server) }, NOW);
}

function server(name: string): ReportedServer {
  return { name, client: "claude-code" } as ReportedServer;
}

describe("the managed settings of Claude Code", () => {
  it("deny what a rule with one condition blocks", () => {
    assert.deepEqual(denied({ url: ["https://x/*"] }), [{ serverUrl: "https://x/*" }]);
    assert.deepEqual(denied({ host: ["*.x.example"] }), [
      { serverUrl: "https://*.x.example/*" },
      { serverUrl: "http://*.x.example/*" },
    ]);
    assert.deepEqual(denied({ name: ["x"] }), [{ serverName: "x" }]);
  });

  it("do not deny more than the rule: other actions and kinds, disabled rules, further conditions, patterns", () => {
    const match = { name: ["x"] };
    for (const rest of [{ action: "warn" }, { action: "allow" }, { kind: "skill" }, { enabled: false }])
      assert.deepEqual(denied(match, rest), [], JSON.stringify(rest));
    assert.deepEqual(denied({ ...match, client: ["cursor"] }), []);
    assert.deepEqual(denied({ client: ["cursor"] }), []);
    assert.deepEqual(denied({ name: ["x*", "{x,y}", "[x]", "x?"] }), []);
    assert.deepEqual([denied({ host: ["{x,y}"] }), denied({ url: ["https://x?"] })], [[], []]);
  });

  it("do not deny with a rule that expired while the device was offline", () => {
    const match = { name: ["x"] };
    assert.deepEqual(denied(match, { expires_at: new Date(NOW).toISOString() }), []);
    assert.deepEqual(denied(match, { expires_at: new Date(NOW + 1).toISOString() }), [{ serverName: "x" }]);
  });

  it("do not deny a name that an allowed server has, nor servers of other clients", () => {
    const policy = policyWith([{ match: { name: ["github"] } }]);
    const known = { allowed: [server("github")], blocked: [server("github"), server("y")] };
    assert.deepEqual(deniedServers(policy, known, NOW), [{ serverName: "y" }]);
    const cursor = { ...server("z"), client: "cursor" };
    assert.deepEqual(deniedServers(policyWith([]), { allowed: [], blocked: [cursor] }, NOW), []);
  });

  it("deny the servers that were found, each once", () => {
    assert.deepEqual(denied({ name: ["x"] }, {}, ["x", "y"]), [{ serverName: "x" }, { serverName: "y" }]);
  });
});
