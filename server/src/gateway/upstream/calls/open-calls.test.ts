import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { OpenCalls } from "./open-calls.ts";

it("holds exactly the calls that were added and not deleted", (test) => {
  const operations = fc.array(fc.tuple(fc.boolean(), fc.nat(30)), { maxLength: 200 });
  fc.assert(
    fc.property(operations, (steps) => {
      const all = Array.from({ length: 31 }, () => ({ place: -1 }));
      const expected = new Set<(typeof all)[number]>();
      const calls = new OpenCalls<(typeof all)[number]>();
      for (const [adds, index] of steps) {
        const call = all[index] ?? { place: -1 };
        if (adds && !expected.has(call)) calls.add(call);
        if (!adds) calls.delete(call);
        if (adds) expected.add(call);
        else expected.delete(call);
        assert.equal(calls.size, expected.size);
        assert.deepEqual(new Set(calls), expected);
      }
    }),
    { seed: seedFor(test) },
  );
});

it("allows deletion during iteration", () => {
  const calls = new OpenCalls<{ place: number }>();
  const all = [{ place: -1 }, { place: -1 }, { place: -1 }];
  for (const call of all) calls.add(call);
  const seen: unknown[] = [];
  for (const call of calls) {
    seen.push(call);
    calls.delete(call);
  }
  assert.deepEqual([seen.length, calls.size], [3, 0]);
});
