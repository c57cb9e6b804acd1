import assert from "node:assert/strict";
import { it } from "node:test";
import { testClock } from "#test/clock";
import type { Clock } from "./clock.ts";
import { LoadMonitor, usedMemoryShare } from "./load-monitor.ts";

it("reports overload while the memory stays nearly full, and recovers automatically (GW-16)", () => {
  const clock = testClock();
  let share = 0.91;
  const monitor = new LoadMonitor(clock, 500, () => share);
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

it("reports overload after repeated event loop delays, but not after a single one (GW-16)", () => {
  const clock = testClock();
  let lateMs = 0;
  const laggard: Clock = { ...clock, after: (delayMs, task) => clock.after(delayMs + lateMs, task) };
  const monitor = new LoadMonitor(laggard, 500, () => 0.1);
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

it("ignores delays of the start and of the first seconds, but not a lack of memory", () => {
  const clock = testClock();
  const laggard: Clock = { ...clock, after: (delayMs, task) => clock.after(delayMs + 501, task) };
  let share = 0.1;
  const monitor = new LoadMonitor(laggard, 500, () => share);
  monitor.start();
  clock.advance(751);
  clock.advance(751);
  assert.equal(monitor.isOverloaded, true);
  monitor.warmUp();
  assert.equal(monitor.isOverloaded, false);
  for (let passed = 0; passed < 9_000; passed += 751) clock.advance(751);
  assert.equal(monitor.isOverloaded, false);
  clock.advance(751);
  clock.advance(751);
  clock.advance(751);
  assert.equal(monitor.isOverloaded, true);
  monitor.warmUp();
  share = 0.95;
  for (let checks = 0; checks < 5; checks++) clock.advance(751);
  assert.equal(monitor.isOverloaded, true);
  monitor.stop();
});

it("collects garbage before it reports that the memory is full, and at most every 10 s (GW-16)", () => {
  const clock = testClock();
  let share = 0.91;
  let collections = 0;
  let garbage = 0.3;
  const monitor = new LoadMonitor(
    clock,
    500,
    () => share,
    () => {
      collections++;
      share -= garbage;
    },
  );
  monitor.start();
  for (let passed = 0; passed < 5_000; passed += 250) {
    clock.advance(250);
    assert.equal(monitor.isOverloaded, false);
  }
  assert.equal(collections, 1);
  garbage = 0;
  share = 0.91;
  for (let passed = 0; passed < 20_000; passed += 250) clock.advance(250);
  assert.equal(monitor.isOverloaded, true);
  assert.equal(collections, 3);
  monitor.stop();
});

it("reads memory that is far from full in a test", () => {
  assert.ok(usedMemoryShare() > 0 && usedMemoryShare() < 0.9);
});
