import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testClock } from "#test/clock";
import { ResponseMemory } from "./response-memory.ts";

describe("memory of large responses (GW-10)", () => {
  const clock = testClock();
  /** A caller may take 100. */
  const newMemory = () => new ResponseMemory(clock, 400);

  it("limits each caller, and all of them together", () => {
    const memory = newMemory();
    const [first, second] = [memory.lease("ann"), memory.lease("ann")];
    assert.ok(first.grow(60));
    assert.ok(!second.grow(50));
    assert.ok(second.grow(40));
    for (const caller of ["bob", "cid", "dan"]) assert.ok(memory.lease(caller).grow(100));
    assert.ok(!memory.lease("eve").grow(1));
    first.release();
    assert.ok(memory.lease("eve").grow(60));
  });

  it("allows one response that is larger than the share of its caller", () => {
    const memory = newMemory();
    assert.ok(memory.lease("ann").grow(300));
    assert.ok(!memory.lease("ann").grow(10));
  });

  it("counts only the growth of a response, and returns what it does not need", () => {
    const memory = newMemory();
    const lease = memory.lease("ann");
    assert.ok(lease.grow(80) && lease.grow(90) && lease.grow(50));
    assert.equal(memory.heldBytes, 90);
    lease.shrink(30);
    assert.equal(memory.heldBytes, 30);
    lease.release();
    lease.release();
    assert.equal(memory.heldBytes, 0);
    assert.ok(!lease.grow(1));
  });

  it("alternates between callers whose responses wait, and keeps the order within one", () => {
    const memory = newMemory();
    const big = memory.lease("big");
    assert.ok(big.grow(400));
    const served: string[] = [];
    for (const name of ["ann 1", "ann 2", "bob 1", "bob 2"]) {
      const lease = memory.lease(name.slice(0, 3));
      lease.growLater(50, (granted) => {
        assert.ok(granted);
        served.push(name);
      });
    }
    // Nothing overtakes those that wait.
    big.shrink(330);
    assert.deepEqual(served, ["ann 1"]);
    assert.ok(!memory.lease("ann").grow(1));
    big.release();
    assert.deepEqual(served, ["ann 1", "bob 1", "ann 2", "bob 2"]);
    assert.equal(memory.heldBytes, 200);
  });

  it("rejects a response that waited for 60 s, and forgets one whose call ended", () => {
    const memory = newMemory();
    const big = memory.lease("big");
    assert.ok(big.grow(400));
    const results: string[] = [];
    memory.lease("ann").growLater(50, (granted) => results.push(`ann ${granted}`));
    const ended = memory.lease("bob");
    ended.growLater(50, (granted) => results.push(`bob ${granted}`));
    ended.release();
    clock.advance(59_999);
    assert.deepEqual(results, []);
    clock.advance(1);
    assert.deepEqual(results, ["ann false"]);
    big.release();
    clock.advance(60_000);
    assert.deepEqual(results, ["ann false"]);
    assert.equal(memory.heldBytes, 0);
  });
});
