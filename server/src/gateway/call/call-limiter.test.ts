import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testClock } from "#test/clock";
import type { CallLimits } from "../snapshot/limits.ts";
import { type CallCount, CallLimiter, type Shortage } from "./call-limiter.ts";

function limiterOf(clock = testClock()) {
  const limiter = new CallLimiter(clock);
  const take = (key: string, limits: Partial<CallLimits>): CallCount | Shortage => {
    const all = { callsPerMinute: 0, concurrentCalls: 0, ...limits };
    const count = limiter.of(key);
    return limiter.shortage(count, all) ?? limiter.count(count, all);
  };
  const accepts = (key: string, limits: Partial<CallLimits>) => !("limit" in take(key, limits));
  return { clock, take, accepts };
}

it("limits the concurrent calls of one key, and allows another when one ends (D36)", () => {
  const { take, accepts } = limiterOf();
  const limits = { concurrentCalls: 2 };
  const first = take("a", limits);
  assert.ok(accepts("a", limits));
  assert.deepEqual(take("a", limits), { limit: "concurrent calls", value: 2, inFlight: 2, retrySeconds: 1 });
  assert.ok(accepts("b", limits));
  assert.ok("release" in first);
  first.release();
  assert.deepEqual([accepts("a", limits), accepts("a", limits)], [true, false]);
});

it("allows a minute's calls in a burst, then one per interval", () => {
  const { clock, take, accepts } = limiterOf();
  const limits = { callsPerMinute: 30 };
  for (let n = 0; n < 30; n++) assert.ok(accepts("a", limits));
  assert.deepEqual(take("a", limits), { limit: "calls per minute", value: 30, inFlight: 30, retrySeconds: 2 });
  clock.advance(2_000);
  assert.deepEqual([accepts("a", limits), accepts("a", limits)], [true, false]);
  clock.advance(10 * 60_000);
  assert.equal(Array.from({ length: 40 }, () => accepts("a", limits)).filter(Boolean).length, 30);
});

it("accepts a retry after the reported time, for any limit and at any time", () => {
  for (const callsPerMinute of [1, 7, 13, 59, 60, 61, 997]) {
    const { clock, take, accepts } = limiterOf();
    const limits = { callsPerMinute };
    for (let n = 0; n < callsPerMinute; n++) assert.ok(accepts("a", limits));
    for (let n = 0; n < 500; n++) {
      clock.advance(17);
      const refused = take("a", limits);
      if (!("limit" in refused)) continue;
      clock.advance(refused.retrySeconds * 1000);
      assert.ok(accepts("a", limits), `${callsPerMinute} after ${refused.retrySeconds} s`);
    }
  }
});

it("reports the remaining time, not a whole interval", () => {
  const { clock, take, accepts } = limiterOf();
  assert.ok(accepts("a", { callsPerMinute: 1 }));
  clock.advance(45_000);
  const refused = take("a", { callsPerMinute: 1 });
  assert.ok("limit" in refused);
  assert.equal(refused.retrySeconds, 15);
});

it("does not count a rejected call", () => {
  const { clock, accepts } = limiterOf();
  const limits = { callsPerMinute: 2 };
  assert.deepEqual(Array.from({ length: 100 }, () => accepts("a", limits)).filter(Boolean), [true, true]);
  clock.advance(30_000);
  assert.ok(accepts("a", limits));
});

it("applies changed limits to the calls that are counted already", () => {
  const { clock, take, accepts } = limiterOf();
  for (let n = 0; n < 60; n++) assert.ok(accepts("a", { callsPerMinute: 60 }));
  const lowered = take("a", { callsPerMinute: 10 });
  assert.ok("limit" in lowered);
  assert.equal(lowered.retrySeconds, 6);
  clock.advance(6_000);
  assert.deepEqual([accepts("a", { callsPerMinute: 10 }), accepts("a", { callsPerMinute: 10 })], [true, false]);
  assert.ok(accepts("a", { callsPerMinute: 11 }));
  assert.ok(accepts("a", {}));
});

it("removes idle keys from memory and keeps active ones", () => {
  const { clock, take, accepts } = limiterOf();
  const limits = { concurrentCalls: 1 };
  for (let n = 0; n < 10_000; n++) {
    const taken = take(`u${n}`, limits);
    assert.ok("release" in taken);
    if (n > 0) taken.release();
  }
  clock.advance(60_000);
  assert.ok(accepts("one more", limits));
  assert.ok(!accepts("u0", limits));
  assert.ok(accepts("u1", limits));
});

describe("counts of several workers", () => {
  const LIMITS = { callsPerMinute: 4, concurrentCalls: 2 };

  it("rejects calls over the limits of all workers together, until they end", () => {
    const clock = testClock();
    const [one, two] = [new CallLimiter(clock), new CallLimiter(clock)];
    const exchange = () => {
      const [first, second] = [one.takeReport(), two.takeReport()];
      one.addReport(2, second);
      two.addReport(1, first);
    };
    const first = one.count(one.of("user"), LIMITS);
    const second = two.count(two.of("user"), LIMITS);
    exchange();
    assert.equal(one.shortage(one.of("user"), LIMITS)?.limit, "concurrent calls");
    first.release();
    second.release();
    exchange();
    assert.equal(one.shortage(one.of("user"), LIMITS), undefined);
    for (const limiter of [one, two]) limiter.count(limiter.of("user"), LIMITS).release();
    exchange();
    for (const limiter of [one, two]) {
      assert.equal(limiter.shortage(limiter.of("user"), LIMITS)?.limit, "calls per minute");
    }
  });

  it("reports a key once more after its last call, and then no longer", () => {
    const limiter = new CallLimiter(testClock());
    const count = limiter.count(limiter.of("user"), LIMITS);
    assert.deepEqual(limiter.takeReport(), [["user", 1, 1]]);
    count.release();
    assert.deepEqual(limiter.takeReport(), [["user", 0, 0]]);
    assert.deepEqual(limiter.takeReport(), []);
  });

  it("forgets the calls in flight of a worker that has ended", () => {
    const limiter = new CallLimiter(testClock());
    limiter.addReport(2, [["user", 2, 2]]);
    assert.ok(limiter.shortage(limiter.of("user"), LIMITS));
    limiter.forgetReports(2);
    assert.equal(limiter.shortage(limiter.of("user"), LIMITS), undefined);
  });
});
