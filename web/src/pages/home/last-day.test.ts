import assert from "node:assert/strict";
import { it } from "node:test";
import { durationWords } from "./last-day.ts";

it("a duration that nobody knows is a dash", () => {
  assert.deepEqual([null, 12.4].map(durationWords), ["–", "12 ms"]);
});
