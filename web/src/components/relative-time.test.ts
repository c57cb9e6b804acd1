import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatRelativeTime } from "./relative-time.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const format = (...differences: readonly number[]) =>
  differences.map((difference) => formatRelativeTime(NOW + difference, NOW));

describe("relative times", () => {
  it("rounds past times down", () => {
    assert.deepEqual(format(-59_000, -5 * MINUTE, -119 * MINUTE, -2 * HOUR, -47 * HOUR, -45 * DAY, -3 * 365 * DAY), [
      "just now",
      "5m ago",
      "1h ago",
      "2h ago",
      "1d ago",
      "45d ago",
      "3y ago",
    ]);
  });

  it("rounds future times to the nearest unit, so that a new 90-day token expires in 90 days", () => {
    assert.deepEqual(format(30_000, MINUTE, 59.7 * MINUTE, 23.9 * HOUR, 3 * DAY, 90 * DAY - 1_000, 365 * DAY - 1_000), [
      "in less than a minute",
      "in 1 minute",
      "in 1 hour",
      "in 1 day",
      "in 3 days",
      "in 90 days",
      "in 365 days",
    ]);
  });
});
