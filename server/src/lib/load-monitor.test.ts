import assert from "node:assert/strict";
import { it } from "node:test";
import { testClock } from "#test/clock";
import type { Clock } from "./clock.ts";
import { LoadMonitor, usedHeapShare } from "./load-monitor.ts";

it("a heap that stays nearly full is overload, and ends by itself (GW-16)", () => {
  const clock = testClock();
  let share = 0.91;
  const monitor = new LoadMonitor(clock, () => share);
  monitor.start();
  clock.advance(250);
  assert.equal(monitor.isOverloaded, false);
  clock.advance(250);
  assert.equal(monitor.isOverloaded, true);
  share = 0.9;
  clock.advance(250);
  assert.equal(monitor.isOverloaded, false);
  monitor.stop();
});

it("turns that come late again and again are overload, one long pause is none (GW-16)", () => {
  const clock = testClock();
  let lateMs = 0;
  const laggard: Clock = { ...clock, after: (delayMs, task) => clock.after(delayMs + lateMs, task) };
  const monitor = new LoadMonitor(laggard, () => 0.1);
  lateMs = 501;
  monitor.start();
  lateMs = 0;
  clock.advance(751);
  assert.equal(monitor.isOverloaded, false);
  clock.advance(250);
  lateMs = 501;
  clock.advance(250);
  clock.advance(2 * 751);
  assert.equal(monitor.isOverloaded, true);
  lateMs = 500;
  clock.advance(751);
  clock.advance(750);
  assert.equal(monitor.isOverloaded, false);
  monitor.stop();
  clock.advance(10_000);
});

it("the heap of a test is far from full", () => {
  assert.ok(usedHeapShare() > 0 && usedHeapShare() < 0.9);
});
