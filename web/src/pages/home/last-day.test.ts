import assert from "node:assert/strict";
import { it } from "node:test";
import { formatDuration } from "./last-day.ts";

it("shows an unknown duration as a dash", () => {
  assert.deepEqual([null, 12.4].map(formatDuration), ["–", "12 ms"]);
});
