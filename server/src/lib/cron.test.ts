import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCron, isTimeZone, nextRunAfter } from "./cron.ts";

const at = (text: string) => Date.parse(text);
const next = (cron: string, timezone: string, after: string) => {
  const time = nextRunAfter({ cron, timezone }, at(after));
  return time === undefined ? undefined : new Date(time).toISOString();
};

describe("schedules", () => {
  it("accept five fields only", () => {
    for (const cron of ["* * * * *", "0 9 * * 1-5", "*/15 0-6 1 JAN mon", "  5 4 * * sun "])
      assert.ok(isCron(cron), cron);
    for (const cron of ["", "@daily", "* * * * * *", "61 * * * *", "* * * *", "x * * * *", "2026-01-01T00:00:00"])
      assert.ok(!isCron(cron), cron);
  });

  it("accept names of time zones only", () => {
    for (const zone of ["UTC", "Europe/Berlin", "America/New_York"]) assert.ok(isTimeZone(zone), zone);
    for (const zone of ["", "Mars/Olympus", "+02:00", "Europe/Berlin; DROP"]) assert.ok(!isTimeZone(zone), zone);
  });

  it("run at the local time of their time zone, also when the clocks change", () => {
    assert.equal(next("0 9 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z"), "2026-03-29T07:00:00.000Z");
    assert.equal(next("0 9 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z"), "2026-03-28T08:00:00.000Z");
    assert.equal(next("0 9 * * *", "America/New_York", "2026-03-27T12:00:00Z"), "2026-03-27T13:00:00.000Z");
  });

  it("run once in the hour that the clocks repeat", () => {
    const first = next("30 2 * * *", "Europe/Berlin", "2026-10-25T00:00:00Z");
    assert.ok(first?.startsWith("2026-10-25"), first);
    assert.ok(next("30 2 * * *", "Europe/Berlin", first ?? "")?.startsWith("2026-10-26"));
  });

  it("never run on a day that does not exist", () => {
    assert.equal(next("0 0 31 2 *", "UTC", "2026-01-01T00:00:00Z"), undefined);
  });
});
