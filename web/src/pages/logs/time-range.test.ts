import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { barLength, barsOf, stepsFor, time, timeQuery } from "./time-range.ts";

const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const HOUR_MS = 3_600_000;

describe("the time range of the logs", () => {
  it("has no end when it is relative, so that clock differences hide no calls", () => {
    assert.deepEqual(timeQuery({}, NOW), { from: "2026-03-09T12:00:00.000Z", to: undefined });
    assert.deepEqual(timeQuery({ range: "1h" }, NOW), { from: "2026-03-10T11:00:00.000Z", to: undefined });
  });

  it("prefers fixed ends over a relative range", () => {
    const ends = { from: "2026-03-01T00:00:00.000Z", to: "2026-03-02T00:00:00.000Z" };
    assert.deepEqual(timeQuery({ range: "1h", ...ends }, NOW), ends);
    assert.deepEqual(timeQuery({ range: "1h", to: ends.to }, NOW), { from: "2026-03-01T23:00:00.000Z", to: ends.to });
  });

  it("parses ISO 8601 times and rejects other text", () => {
    assert.equal(time("2026-03-01T10:00:00+01:00"), "2026-03-01T09:00:00.000Z");
    assert.equal(time("yesterday"), undefined);
  });

  it("stays within the API's limit of points and 150 bars", () => {
    for (const hours of [0.25, 1, 5, 24, 7 * 24, 30 * 24, 365 * 24]) {
      const steps = stepsFor(hours * HOUR_MS);
      const bars = (hours * HOUR_MS) / barLength(steps);
      assert.ok(bars <= 150, `${hours} h: ${bars} bars`);
      assert.ok(bars * steps.together <= 1500, `${hours} h: ${bars * steps.together} points`);
    }
  });

  it("aggregates minutes into bars that start at multiples of their length", () => {
    const at = (minute: number) => new Date(NOW + minute * 60_000).toISOString();
    const series = [8, 9, 10, 11].map((minute) => ({ ts: at(minute), calls: minute, errors: 1 }));
    const noon = NOW / 1000;
    assert.deepEqual(barsOf(series, 600_000), { at: [noon, noon + 600], calls: [17, 21], errors: [2, 2] });
  });
});
