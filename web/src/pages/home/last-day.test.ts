import assert from "node:assert/strict";
import { it } from "node:test";
import { durationWords, shareWords } from "./last-day.ts";

it("a share is never shown as none where there was one", () => {
  assert.deepEqual(
    [shareWords(0, 10), shareWords(1, 100_000), shareWords(1, 250), shareWords(1, 2), shareWords(0, 0)],
    ["0 %", "< 0.1 %", "0.4 %", "50 %", "0 %"],
  );
});

it("durations are as exact as people need them", () => {
  assert.deepEqual([null, 0.4, 12.4, 999, 1840].map(durationWords), ["–", "< 1 ms", "12 ms", "999 ms", "1.8 s"]);
});
