import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Clock } from "#lib/clock";
import { type OriginPool, OriginPools } from "./origin-pools.ts";

function playedClock(): Clock & { advance(ms: number): void } {
  let nowMs = 0;
  const due: { atMs: number; task: () => void }[] = [];
  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    after(delayMs, task) {
      const entry = { atMs: nowMs + delayMs, task };
      due.push(entry);
      return { cancel: () => void (due.includes(entry) && due.splice(due.indexOf(entry), 1)) };
    },
    advance(ms) {
      nowMs += ms;
      for (const entry of due.filter(({ atMs }) => atMs <= nowMs)) {
        due.splice(due.indexOf(entry), 1);
        entry.task();
      }
    },
  };
}

class FakePool implements OriginPool {
  load = 0;
  closed = false;
  destroyed = false;

  close(): void {
    this.closed = true;
  }

  destroy(): void {
    this.destroyed = true;
  }
}

function newPools(maxOrigins = 3) {
  const clock = playedClock();
  const made: FakePool[] = [];
  const make = () => {
    const pool = new FakePool();
    made.push(pool);
    return pool;
  };
  return { clock, made, pools: new OriginPools({ make, clock, maxOrigins, idleMs: 1_000 }) };
}

describe("pools by origin", () => {
  it("uses one pool per origin", () => {
    const { pools, made } = newPools();
    assert.equal(pools.get("http://a.test"), pools.get("http://a.test"));
    assert.notEqual(pools.get("http://a.test"), pools.get("http://b.test"));
    assert.equal(made.length, 2);
    pools.close();
  });

  it("closes the least recently used pool beyond the limit", () => {
    const { pools } = newPools(3);
    const [a, b] = ["a", "b", "c"].map((name) => pools.get(`http://${name}.test`));
    pools.get("http://a.test");
    pools.get("http://d.test");
    assert.equal(pools.size, 3);
    assert.equal(a?.closed, false);
    assert.equal(b?.closed, true);
    pools.close();
  });

  it("closes an idle pool and keeps one in use", () => {
    const { pools, clock } = newPools();
    const idle = pools.get("http://idle.test");
    const used = pools.get("http://used.test");
    for (let i = 0; i < 3; i++) {
      clock.advance(500);
      assert.equal(pools.get("http://used.test"), used);
    }
    clock.advance(500);
    assert.equal(idle.closed, true);
    assert.equal(used.closed, false);
    assert.notEqual(pools.get("http://idle.test"), idle);
    pools.close();
  });

  it("removes all pools on close and creates none afterwards", () => {
    const { pools, made } = newPools();
    pools.get("http://a.test");
    pools.close();
    assert.equal(made[0]?.destroyed, true);
    assert.throws(() => pools.get("http://a.test"), { kind: "closed", nothingSent: true });
  });
});
