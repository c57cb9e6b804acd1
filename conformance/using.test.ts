import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { judgeClient } from "./kit/connecting.ts";
import { type Gatehouse, startGatehouse } from "./kit/gatehouse.ts";
import { findShortfalls, readExpected } from "./kit/shortfalls.ts";
import { findingsOf, REVISIONS, requiredScenarios } from "./kit/suite.ts";
import { useDirectly, useThroughGateway } from "./kit/use-everything.ts";

/** Added to the suite after the revisions were released, and not scored. */
const UNSCORED = ["json-schema-2020-12-preservation"];

describe("the conformance suite's client scenarios outside authorization, with the SDK's client behind the gateway", () => {
  let gatehouse: Gatehouse;
  before(async () => {
    gatehouse = await startGatehouse();
  });
  after(() => gatehouse?.stop());

  for (const revision of REVISIONS)
    it(`${revision}: reports exactly the expected shortfalls, compared with the client alone`, async () => {
      const required = (await requiredScenarios(revision, "client")).filter(
        (scenario) => !scenario.startsWith("auth/"),
      );
      assert.ok(required.length >= 4);
      const scenarios = [...required, ...UNSCORED];
      const which = ["--requirements", revision];
      const direct = await judgeClient(which, scenarios, useDirectly(revision));
      const behind = await judgeClient(which, scenarios, useThroughGateway(revision, gatehouse));
      for (const { scenario, passed, wrong } of behind) {
        const ids = wrong.map(({ id, status }) => `${id} ${status}`);
        process.stdout.write(`${revision}  ${scenario}  ${passed} passed${ids.map((id) => `, ${id}`).join("")}\n`);
      }
      const shortfalls = findShortfalls(findingsOf(direct), findingsOf(behind));
      assert.deepEqual(shortfalls, await readExpected(revision, "behind"));
    });
});
