import assert from "node:assert/strict";
import { it } from "node:test";
import { testClock } from "#test/clock";
import { DEFAULT_LIMITS } from "../snapshot/limits.ts";
import { UserCallLimiter } from "./user-call-limiter.ts";

it("limits a user's concurrent calls without affecting other users, and allows another when one ends (D36)", () => {
  const limiter = new UserCallLimiter(testClock());
  const limits = { ...DEFAULT_LIMITS, userConcurrentCalls: 2 };
  const first = limiter.take("a", limits);
  assert.ok("inFlight" in first && "inFlight" in limiter.take("a", limits));
  assert.deepEqual(limiter.take("a", limits), {
    refusal: "Too many concurrent calls: 2 of your calls are in progress",
    retrySeconds: 1,
  });
  assert.ok("inFlight" in limiter.take("b", limits));
  first.inFlight--;
  assert.ok("inFlight" in limiter.take("a", limits));
});

it("allows a minute's calls in a burst, then one per interval", () => {
  const clock = testClock();
  const limiter = new UserCallLimiter(clock);
  const limits = { ...DEFAULT_LIMITS, userCallsPerMinute: 30 };
  const calls = () => "inFlight" in limiter.take("a", limits);
  for (let n = 0; n < 30; n++) assert.ok(calls());
  assert.deepEqual(limiter.take("a", limits), {
    refusal: "Too many calls: the limit is 30 per minute; try again in 2 s",
    retrySeconds: 2,
  });
  clock.advance(2_000);
  assert.deepEqual([calls(), calls()], [true, false]);
  clock.advance(10 * 60_000);
  assert.equal(Array.from({ length: 40 }, calls).filter(Boolean).length, 30);
});

it("removes idle users from memory and keeps active ones", () => {
  const clock = testClock();
  const limiter = new UserCallLimiter(clock);
  const limits = { ...DEFAULT_LIMITS, userConcurrentCalls: 1 };
  for (let n = 0; n < 10_000; n++) {
    const entry = limiter.take(`u${n}`, limits);
    assert.ok("inFlight" in entry);
    if (n > 0) entry.inFlight--;
  }
  clock.advance(60_000);
  assert.ok("inFlight" in limiter.take("one more", limits));
  assert.ok("refusal" in limiter.take("u0", limits));
  assert.ok("inFlight" in limiter.take("u1", limits));
});
