import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { isoTime } from "./answers.ts";

test("formats times like toISOString, in any order of days", (t) => {
  const times = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(9999, 11, 31) });
  const property = fc.property(times, (epochMs) => assert.equal(isoTime(epochMs), new Date(epochMs).toISOString()));
  fc.assert(property, { seed: seedFor(t), numRuns: 1_000 });
  for (const epochMs of [0, 86_399_999, 86_400_000, 951_782_400_000]) {
    assert.equal(isoTime(epochMs), new Date(epochMs).toISOString());
  }
});
