import assert from "node:assert/strict";
import { it } from "node:test";
import { durationWords, shareWords } from "./last-day.ts";

it("a share is never shown as none where there was one", () => {
  assert.deepEqual(
    [shareWords(0, 10), shareWords(1, 100_000), shareWords(1, 250), shareWords(1, 2), shareWords(0, 0)],
    ["0 %", "< 0.1 %", "0.4 %", "50 %", "0 %"],
  );
});

it("a duration that nobody knows is a dash", () => {
  assert.deepEqual([null, 12.4].map(durationWords), ["–", "12 ms"]);
});
