import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { connectAndCall } from "./kit/connect-and-call.ts";
import { judgeClient } from "./kit/connecting.ts";
import { type Gatehouse, startGatehouse } from "./kit/gatehouse.ts";
import { REVISIONS, requiredScenarios } from "./kit/suite.ts";

/** The metadata document is a client ID only with https. */
const PUBLIC_URL = "https://gatehouse.example.com";

const BEFORE_2025_06 = ["auth/2025-03-26-oauth-metadata-backcompat", "auth/2025-03-26-oauth-endpoint-fallback"];
const RUNS = [
  {
    name: "2025-03-26",
    which: ["--suite", "backcompat", "--spec-version", "2025-03-26"],
    scenarios: async () => BEFORE_2025_06,
  },
  ...REVISIONS.map((revision) => ({
    name: revision,
    which: ["--requirements", revision],
    scenarios: async () =>
      (await requiredScenarios(revision, "client")).filter((scenario) => scenario.startsWith("auth/")),
  })),
];

/** Scenarios in which connecting must fail, with a reason on the page. */
const REFUSED = {
  "auth/resource-mismatch": /OAuth Discovery Failed.* resource: must be /s,
  "auth/metadata-issuer-mismatch": /OAuth Discovery Failed.* issuer: must be /s,
  "auth/iss-supported-missing": /Not connected.*a different authorization server/s,
  "auth/iss-wrong-issuer": /Not connected.*a different authorization server/s,
  "auth/iss-unexpected": /Not connected.*a different authorization server/s,
  "auth/iss-normalized": /Not connected.*a different authorization server/s,
};
/** Scenarios in which the server rejects every call. */
const NEVER_CALLED = ["auth/scope-retry-limit"];

describe("the conformance suite's authorization scenarios, with Gatehouse as the client", () => {
  let gatehouse: Gatehouse;
  before(async () => {
    gatehouse = await startGatehouse({ publicUrl: PUBLIC_URL });
  });
  after(() => gatehouse?.stop());

  for (const { name, which, scenarios } of RUNS)
    it(`${name}: passes all checks, and connected users can call`, async () => {
      const { url, token } = gatehouse;
      const wanted = await scenarios();
      assert.ok(wanted.length > 0);
      const underTest = { url, token, publicUrl: PUBLIC_URL };
      const judged = await judgeClient(which, wanted, (task) => connectAndCall(underTest, task));
      process.stdout.write(judged.map(({ scenario, passed }) => `${name}  ${scenario}  ${passed}\n`).join(""));
      for (const { scenario, wrong, outcome } of judged) {
        assert.deepEqual(wrong, [], `${scenario}: ${JSON.stringify(outcome)}`);
        const refusal = Object.entries(REFUSED).find(([each]) => each === scenario)?.[1];
        if (refusal) {
          assert.equal(outcome.connects, 0, scenario);
          assert.match(outcome.said.join("\n"), refusal, scenario);
        } else
          assert.equal(outcome.called, !NEVER_CALLED.includes(scenario), `${scenario}: ${outcome.said.join("\n")}`);
      }
    });
});
