import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EffectivePolicy } from "#policy/policy-types";
import type { ReportedServer } from "#policy/types";
import { policyWith } from "../../test/fake-service.ts";
import { deniedServers } from "./managed-settings.ts";

function denied(match: object, rest: object = {}, blocked: readonly string[] = []) {
  const policy: EffectivePolicy = policyWith([{ match, ...rest }]);
  return deniedServers(
    policy,
    blocked.map((name) => ({ name }) as ReportedServer),
  );
}

describe("the managed settings of Claude Code", () => {
  it("deny what a rule with one condition blocks", () => {
    assert.deepEqual(denied({ url: ["https://x/*"] }), [{ serverUrl: "https://x/*" }]);
    assert.deepEqual(denied({ host: ["*.x.example"] }), [{ serverUrl: "https://*.x.example/*" }]);
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

  it("deny the servers that were found, each once", () => {
    assert.deepEqual(denied({ name: ["x"] }, {}, ["x", "y"]), [{ serverName: "x" }, { serverName: "y" }]);
  });
});
