import assert from "node:assert/strict";
import { it } from "node:test";
import { formatPercent } from "./quantities.ts";

it("never rounds a part to none or all", () => {
  assert.deepEqual(
    [
      formatPercent(0, 10),
      formatPercent(1, 100_000),
      formatPercent(1, 250),
      formatPercent(1, 2),
      formatPercent(0, 0),
      formatPercent(999, 1000),
      formatPercent(15, 100),
    ],
    ["0%", "<0.1%", "0.4%", "50%", "–", "99.9%", "15%"],
  );
});
