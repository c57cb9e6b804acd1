import { it } from "node:test";
import { seedFor } from "../kit/seed.ts";
import { forEachTarget } from "../kit/suite.ts";
import { mayFuzz } from "../kit/target.ts";
import { fuzzOperations } from "./fuzz-operations.ts";

const RUNS = 25_000;

if (mayFuzz()) {
  forEachTarget("fuzz", (api) => {
    it("responds to a long run of random requests only as documented, and never with a 500 [API-12 S4.0-token]", (test) =>
      fuzzOperations(api, { runs: RUNS, seed: seedFor(test) }));
  });
}
