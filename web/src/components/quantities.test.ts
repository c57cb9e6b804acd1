import assert from "node:assert/strict";
import { it } from "node:test";
import { shareWords } from "./quantities.ts";

it("a share is never shown as none where there was one", () => {
  assert.deepEqual(
    [shareWords(0, 10), shareWords(1, 100_000), shareWords(1, 250), shareWords(1, 2), shareWords(0, 0)],
    ["0 %", "< 0.1 %", "0.4 %", "50 %", "–"],
  );
});
