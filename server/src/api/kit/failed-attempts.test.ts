import assert from "node:assert/strict";
import { it } from "node:test";
import { testClock } from "#test/clock";
import { FailedAttempts } from "./failed-attempts.ts";

it("one address does not stand in for another", () => {
  const attempts = new FailedAttempts(testClock(), 2);
  attempts.failed("a");
  attempts.failed("a");
  attempts.failed("b");
  assert.equal(attempts.retryAfter("a"), 60);
  assert.equal(attempts.retryAfter("b"), undefined);
});

it("an address that went on failing after its minute starts a new minute", () => {
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

it("all addresses of one IPv6 network count together, however they are written, and no other network with them", () => {
  const attempts = new FailedAttempts(testClock(), 2);
  attempts.failed("2001:db8:0:7::1");
  attempts.failed("2001:0DB8::7:ffff:0:0:9");
  assert.equal(attempts.retryAfter("2001:db8:0:7:1:2:3:4"), 60);
  assert.equal(attempts.retryAfter("2001:db8:0:8::1"), undefined);
});

it("ten thousand other addresses push out the oldest, so that a flood cannot fill the memory", () => {
  const attempts = new FailedAttempts(testClock(), 1);
  attempts.failed("first");
  for (let i = 1; i < 10_000; i++) attempts.failed(`address ${i}`);
  assert.equal(attempts.retryAfter("first"), 60);
  attempts.failed("one more");
  assert.equal(attempts.retryAfter("first"), undefined);
  assert.equal(attempts.retryAfter("one more"), 60);
});
