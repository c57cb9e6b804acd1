import assert from "node:assert/strict";
import { it } from "node:test";
import { testClock } from "#test/clock";
import { FailedAttempts } from "./failed-attempts.ts";

it("counts each address separately (AUTH-6)", () => {
  const attempts = new FailedAttempts(testClock(), 2);
  attempts.failed("a");
  attempts.failed("a");
  attempts.failed("b");
  assert.equal(attempts.retryAfter("a"), 60);
  assert.equal(attempts.retryAfter("b"), undefined);
});

it("starts a new minute for an address that keeps failing after its minute", () => {
  const clock = testClock();
  const attempts = new FailedAttempts(clock, 2);
  attempts.failed("a");
  clock.advance(59_000);
  attempts.failed("a");
  assert.equal(attempts.retryAfter("a"), 1);
  clock.advance(1_000);
  assert.equal(attempts.retryAfter("a"), undefined);
  attempts.failed("a");
  assert.equal(attempts.retryAfter("a"), undefined);
});

it("counts all addresses of an IPv6 network together, in any notation, and separately from other networks", () => {
  const attempts = new FailedAttempts(testClock(), 2);
  attempts.failed("2001:db8:0:7::1");
  attempts.failed("2001:0DB8::7:ffff:0:0:9");
  assert.equal(attempts.retryAfter("2001:db8:0:7:1:2:3:4"), 60);
  assert.equal(attempts.retryAfter("2001:db8:0:8::1"), undefined);
});

it("drops the oldest of ten thousand addresses, so that a flood cannot fill the memory", () => {
  const attempts = new FailedAttempts(testClock(), 1);
  attempts.failed("first");
  for (let i = 1; i < 10_000; i++) attempts.failed(`address ${i}`);
  assert.equal(attempts.retryAfter("first"), 60);
  attempts.failed("one more");
  assert.equal(attempts.retryAfter("first"), undefined);
  assert.equal(attempts.retryAfter("one more"), 60);
});
