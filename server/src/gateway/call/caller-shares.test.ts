import assert from "node:assert/strict";
import { it } from "node:test";
import { testClock } from "#test/clock";
import { DEFAULT_LIMITS } from "../snapshot/limits.ts";
import { CallerShares } from "./caller-shares.ts";

it("a user has so many calls under way, others are not concerned, and one that ends makes room (D36)", () => {
  const shares = new CallerShares(testClock());
  const limits = { ...DEFAULT_LIMITS, userConcurrentCalls: 2 };
  const first = shares.take("a", limits);
  assert.ok("underWay" in first && "underWay" in shares.take("a", limits));
  assert.deepEqual(shares.take("a", limits), {
    refusal: "Too many calls at once: 2 of yours are under way",
    retrySeconds: 1,
  });
  assert.ok("underWay" in shares.take("b", limits));
  first.underWay--;
  assert.ok("underWay" in shares.take("a", limits));
});

it("a rate lets a minute's calls through at once, then one whenever its time has come", () => {
  const clock = testClock();
  const shares = new CallerShares(clock);
  const limits = { ...DEFAULT_LIMITS, userCallsPerMinute: 30 };
  const calls = () => "underWay" in shares.take("a", limits);
  for (let n = 0; n < 30; n++) assert.ok(calls());
  assert.deepEqual(shares.take("a", limits), {
    refusal: "Too many calls: 30 a minute are allowed; try again in 2 s",
    retrySeconds: 2,
  });
  clock.advance(2_000);
  assert.deepEqual([calls(), calls()], [true, false]);
  clock.advance(10 * 60_000);
  assert.equal(Array.from({ length: 40 }, calls).filter(Boolean).length, 30);
});

it("shares of users who are gone do not pile up, and those in use are kept", () => {
  const clock = testClock();
  const shares = new CallerShares(clock);
  const limits = { ...DEFAULT_LIMITS, userConcurrentCalls: 1 };
  for (let n = 0; n < 10_000; n++) {
    const share = shares.take(`u${n}`, limits);
    assert.ok("underWay" in share);
    if (n > 0) share.underWay--;
  }
  clock.advance(60_000);
  assert.ok("underWay" in shares.take("one more", limits));
  assert.ok("refusal" in shares.take("u0", limits));
  assert.ok("underWay" in shares.take("u1", limits));
});
