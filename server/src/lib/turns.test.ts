import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createTurns } from "./turns.ts";

describe("turns", () => {
  it("never let more run than they may, let as many as they may, and forget nobody", async () => {
    const arrivals = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), arrivals, fc.scheduler(), async (most, works, scheduler) => {
        const inTurn = createTurns(most);
        let running = 0;
        let highest = 0;
        const done = works.map((succeeds, i) =>
          scheduler.schedule(Promise.resolve(), `arrives ${i}`).then(() =>
            inTurn(async () => {
              highest = Math.max(highest, ++running);
              await scheduler.schedule(Promise.resolve(), `ends ${i}`);
              running--;
              if (!succeeds) throw new Error("failed");
              return i;
            }),
          ),
        );
        const outcomes = Promise.allSettled(done);
        await scheduler.waitIdle();
        assert.deepEqual(
          (await outcomes).map((outcome) => outcome.status === "fulfilled"),
          works,
        );
        assert.ok(highest <= most, `${highest} at once`);
        assert.equal(running, 0);
      }),
      { numRuns: 300 },
    );
  });

  it("give the place of one that ends to the one that waited longest, not to a newcomer", async () => {
    const inTurn = createTurns(1);
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const all = [inTurn(() => first.promise), inTurn(async () => void order.push("waited"))];
    first.resolve();
    await first.promise;
    all.push(inTurn(async () => void order.push("came later")));
    await Promise.all(all);
    assert.deepEqual(order, ["waited", "came later"]);
  });

  it("run as many as they may at the same time", async () => {
    const inTurn = createTurns(8);
    let started = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = Array.from({ length: 30 }, () =>
      inTurn(() => {
        started++;
        return promise;
      }),
    );
    assert.equal(started, 8);
    resolve();
    await Promise.all(all);
    assert.equal(started, 30);
  });
});
