import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createConcurrencyLimit } from "./concurrency-limit.ts";

describe("a concurrency limit", () => {
  it("runs at most the allowed number concurrently, and completes all", async () => {
    const arrivals = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), arrivals, fc.scheduler(), async (most, works, scheduler) => {
        const run = createConcurrencyLimit(most);
        let running = 0;
        let highest = 0;
        const done = works.map((succeeds, i) =>
          scheduler.schedule(Promise.resolve(), `arrives ${i}`).then(() =>
            run(async () => {
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
        assert.ok(highest <= most, `${highest} concurrently`);
        assert.equal(running, 0);
      }),
      { numRuns: 300 },
    );
  });

  it("gives a free slot to the longest waiting task, not to a new one", async () => {
    const run = createConcurrencyLimit(1);
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const all = [run(() => first.promise), run(async () => void order.push("waited"))];
    first.resolve();
    await first.promise;
    all.push(run(async () => void order.push("came later")));
    await Promise.all(all);
    assert.deepEqual(order, ["waited", "came later"]);
  });

  it("runs as many tasks concurrently as allowed", async () => {
    const run = createConcurrencyLimit(8);
    let started = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = Array.from({ length: 30 }, () =>
      run(() => {
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
