import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Gather } from "./gather.ts";

describe("the gathering of checked reports", () => {
  /** Its pauses end only with `pass`. */
  function setUp() {
    const passed: number[][] = [];
    const sleeping: { readonly ms: number; wake(): void }[] = [];
    let now = 0;
    const time = {
      now: () => now,
      sleep: (ms: number) => new Promise<void>((wake) => void sleeping.push({ ms, wake })),
    };
    const gather = new Gather<number>((items) => void passed.push([...items]), time);
    const pass = async () => {
      const pause = sleeping.shift();
      now += pause?.ms ?? 0;
      pause?.wake();
      await new Promise(setImmediate);
    };
    const advance = (ms: number) => {
      now += ms;
    };
    /** The first nine are not yet frequent. */
    const makeFrequent = () => {
      for (let n = 1; n <= 9; n++) gather.add(n, 1);
      passed.length = 0;
    };
    return { gather, passed, pass, makeFrequent, sleeping, advance };
  }

  it("passes each on immediately until they are frequent", () => {
    const { gather, passed } = setUp();
    for (let n = 1; n <= 9; n++) gather.add(n, 1);
    assert.deepEqual(passed, [[1], [2], [3], [4], [5], [6], [7], [8], [9]]);
    gather.add(10, 1);
    assert.equal(passed.length, 9);
  });

  it("passes frequent ones on together when no more arrive", async () => {
    const { gather, passed, pass, makeFrequent } = setUp();
    makeFrequent();
    gather.add(10, 1);
    gather.add(11, 1);
    await pass();
    gather.add(12, 1);
    await pass();
    assert.deepEqual(passed, []);
    await pass();
    assert.deepEqual(passed, [[10, 11, 12]]);
  });

  it("does not wait for more than a batch", () => {
    const { gather, passed, makeFrequent } = setUp();
    makeFrequent();
    for (let n = 0; n < 30; n++) gather.add(n, 1);
    assert.deepEqual(
      passed.map((items) => items.length),
      [24],
    );
  });

  it("does not wait when their bytes are many", () => {
    const { gather, passed, makeFrequent } = setUp();
    makeFrequent();
    gather.add(10, 600_000);
    assert.deepEqual(passed, []);
    gather.add(11, 600_000);
    assert.deepEqual(passed, [[10, 11]]);
    gather.add(12, 600_000);
    assert.equal(passed.length, 1);
  });

  it("does not wait for longer than half a second, although more arrive", async () => {
    const { gather, passed, pass, makeFrequent } = setUp();
    makeFrequent();
    gather.add(0, 1);
    for (let n = 1; n <= 16; n++) {
      assert.deepEqual(passed, []);
      gather.add(n, 1);
      await pass();
    }
    assert.deepEqual(
      passed.map((items) => items.length),
      [17],
    );
  });

  it("passes on immediately again when they are no longer frequent", async () => {
    const { gather, passed, pass, makeFrequent, sleeping, advance } = setUp();
    makeFrequent();
    gather.add(10, 1);
    await pass();
    await pass();
    advance(1_000);
    gather.add(11, 1);
    assert.deepEqual([passed, sleeping.length], [[[10], [11]], 0]);
  });
});
