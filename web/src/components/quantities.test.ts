import assert from "node:assert/strict";
import { it } from "node:test";
import { formatPercent } from "./quantities.ts";

it("a share is never shown as none where there was one", () => {
  assert.deepEqual(
    [formatPercent(0, 10), formatPercent(1, 100_000), formatPercent(1, 250), formatPercent(1, 2), formatPercent(0, 0)],
    ["0 %", "< 0.1 %", "0.4 %", "50 %", "–"],
  );
});
