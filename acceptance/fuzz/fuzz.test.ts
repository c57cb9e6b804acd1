import { it } from "node:test";
import { seedFor } from "../kit/seed.ts";
import { forEachTarget } from "../kit/suite.ts";
import { mayFuzz } from "../kit/target.ts";
import { fuzzOperations } from "./fuzz-operations.ts";

/** Per database. fuzz.long.ts sends 25,000. */
const RUNS = 800;

if (mayFuzz()) {
  forEachTarget("fuzz", (api) => {
    it("responds to random requests only as documented, and never with a 500 [API-12 S4.0-token]", (test) =>
      fuzzOperations(api, { runs: RUNS, seed: seedFor(test) }));
  });
}
