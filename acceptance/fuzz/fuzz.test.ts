import { it } from "node:test";
import { seedFor } from "../kit/seed.ts";
import { forEachTarget } from "../kit/suite.ts";
import { mayFuzz } from "../kit/target.ts";
import { fuzzOperations } from "./fuzz-operations.ts";

/** On each database. fuzz.long.ts makes 25,000. */
const RUNS = 800;

if (mayFuzz()) {
  forEachTarget("fuzz", (api) => {
    it("whatever is asked, the answer is a documented one and never our own fault [API-12 S4.0-token]", (test) =>
      fuzzOperations(api, { runs: RUNS, seed: seedFor(test) }));
  });
}
