import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MOST_ATTEMPTS_PER_ROUND, readRetryAfterMs, retryDelayMs } from "./retry-schedule.ts";

const HOUR_MS = 60 * 60 * 1000;

describe("the retry schedule", () => {
  it("starts within 10 seconds, grows, and ends after about a day", () => {
    for (const random of [0, 0.5, 0.999]) {
      const delays = Array.from({ length: MOST_ATTEMPTS_PER_ROUND - 1 }, (_, at) => retryDelayMs(at + 1, random) ?? 0);
      // Deliveries are looked for every second.
      assert.ok((delays[0] ?? 0) < 9_000);
      assert.deepEqual(
        delays,
        delays.toSorted((a, b) => a - b),
      );
      const hours = delays.reduce((sum, delay) => sum + delay, 0) / HOUR_MS;
      assert.ok(hours > 18 && hours < 30, `${hours} hours`);
      assert.equal(retryDelayMs(MOST_ATTEMPTS_PER_ROUND, random), undefined);
    }
  });

  it("respects Retry-After in seconds, up to an hour", () => {
    assert.equal(retryDelayMs(1, 0.5, 60_000), 60_000);
    assert.equal(retryDelayMs(1, 0.5, 24 * HOUR_MS), HOUR_MS);
    assert.equal(readRetryAfterMs("120"), 120_000);
    for (const other of [undefined, "", "soon", "-1", "1e9", ["1", "2"], "99999999999"])
      assert.equal(readRetryAfterMs(other), 0);
  });
});
