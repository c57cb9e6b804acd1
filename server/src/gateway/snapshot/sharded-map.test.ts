import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ShardedMap } from "./sharded-map.ts";

const keys = fc.oneof(fc.constantFrom("a", "b", "__proto__", "constructor", ""), fc.string());
const changes = fc.array(fc.tuple(keys, fc.option(fc.integer(), { nil: undefined })), { maxLength: 40 });

describe("ShardedMap", () => {
  it("matches a Map after any series of changes, and leaves older maps unchanged", () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 12 }), (steps) => {
        let sharded = ShardedMap.empty<number>();
        const model = new Map<string, number>();
        const past: { sharded: ShardedMap<number>; model: Map<string, number> }[] = [];
        for (const step of steps) {
          past.push({ sharded, model: new Map(model) });
          sharded = sharded.with(new Map(step));
          for (const [key, value] of new Map(step)) {
            if (value === undefined) model.delete(key);
            else model.set(key, value);
          }
        }
        for (const each of [...past, { sharded, model }]) {
          assert.equal(each.sharded.size, each.model.size);
          assert.deepEqual(new Map(each.sharded), each.model);
          for (const [key, value] of each.model) assert.equal(each.sharded.get(key), value);
          for (const [key] of steps.flat()) assert.equal(each.sharded.has(key), each.model.has(key));
          assert.equal(each.sharded.any() !== undefined, each.model.size > 0);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("returns the same object when nothing changes, so readers can compare identities", () => {
    const map = ShardedMap.empty<number>().with(new Map([["a", 1]]));
    assert.equal(map.with(new Map()), map);
  });

  it("distributes sequential ids and similar slugs over its shards", () => {
    const families = [
      (i: number) => `usr_01jf3q8k0z${String(i).padStart(16, "0")}`,
      (i: number) => `server-${i}`,
      (i: number) => `${i}-production-eu-west`,
    ];
    for (const family of families) {
      const keys = Array.from({ length: 20_000 }, (_, i) => family(i));
      assert.ok(longestRun(keys) < 100);
    }
  });
});

/** Keys keep their insertion order inside a shard, so no shard holds more keys than the longest ascending run. */
function longestRun(keys: readonly string[]): number {
  const map = ShardedMap.empty<number>().with(new Map(keys.map((key, i) => [key, i])));
  let longest = 0;
  let run = 0;
  let previous = -1;
  for (const [, index] of map) {
    run = index > previous ? run + 1 : 1;
    previous = index;
    longest = Math.max(longest, run);
  }
  return longest;
}
