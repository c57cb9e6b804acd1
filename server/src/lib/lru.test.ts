import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Lru } from "./lru.ts";

type Step =
  | { readonly do: "set"; readonly key: string; readonly weight: number }
  | { readonly do: "get" | "delete"; readonly key: string };

/** A simple reference implementation, oldest entry first. */
class SlowLru {
  entries: { key: string; value: number; weight: number }[] = [];
  readonly budget: number;

  constructor(budget: number) {
    this.budget = budget;
  }

  take(key: string) {
    const found = this.entries.find((entry) => entry.key === key);
    this.entries = this.entries.filter((entry) => entry !== found);
    return found;
  }

  set(key: string, value: number, weight: number) {
    this.take(key);
    this.entries.push({ key, value, weight });
    while (this.entries.length > 1 && this.entries.reduce((sum, entry) => sum + entry.weight, 0) > this.budget) {
      this.entries.shift();
    }
  }

  get(key: string) {
    const found = this.take(key);
    if (found) this.entries.push(found);
    return found?.value;
  }
}

describe("Lru", () => {
  const key = fc.constantFrom("a", "b", "c", "d", "e");
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant("set" as const), key, weight: fc.integer({ min: 0, max: 12 }) }),
    fc.record({ do: fc.constantFrom("get" as const, "delete" as const), key }),
  );

  it("keeps the most recently used entries within the budget, and always the newest one", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lru = new Lru<number>(10);
        const model = new SlowLru(10);
        steps.forEach((each, at) => {
          if (each.do === "set") {
            lru.set(each.key, at, each.weight);
            model.set(each.key, at, each.weight);
          } else if (each.do === "delete") {
            lru.delete(each.key);
            model.take(each.key);
          } else assert.equal(lru.get(each.key), model.get(each.key));
          assert.equal(lru.size, model.entries.length);
        });
        for (const entry of model.entries) assert.equal(lru.get(entry.key), entry.value);
      }),
      { numRuns: 500 },
    );
  });

  it("is empty after clear", () => {
    const lru = new Lru<number>(2);
    lru.set("a", 1, 2);
    lru.clear();
    lru.set("b", 1);
    lru.set("c", 2);
    assert.deepEqual([lru.get("a"), lru.get("b"), lru.get("c")], [undefined, 1, 2]);
  });
});
