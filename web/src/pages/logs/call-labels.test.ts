import assert from "node:assert/strict";
import { it } from "node:test";
import { bytes, duration } from "./call-labels.ts";

it("formats durations and sizes in a fitting unit", () => {
  assert.deepEqual([0.4, 3.14, 84, 999.6, 1240, 15_300, 59_990, 200_000].map(duration), [
    "400 µs",
    "3.1 ms",
    "84 ms",
    "1.0 s",
    "1.2 s",
    "15.3 s",
    "1 min 0 s",
    "3 min 20 s",
  ]);
  assert.deepEqual([0, 999, 1843, 64_000, 3_400_000].map(bytes), ["0 B", "999 B", "1.8 KB", "64 KB", "3.4 MB"]);
});
