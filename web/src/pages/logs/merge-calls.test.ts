import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Call } from "./call-labels.ts";
import { merged } from "./merge-calls.ts";

/** The fields that define the order. */
function call(second: number, number: number): Call {
  const ts = new Date(second * 1000).toISOString();
  return { id: `${second * 1000}-${number}`, ts } as Call;
}

describe("merging live calls", () => {
  const ids = (calls: readonly Call[]) => calls.map(({ id }) => id);

  it("puts newer calls first", () => {
    assert.deepEqual(ids(merged([call(9, 4), call(8, 3)], [call(7, 2), call(7, 1)])), [
      "9000-4",
      "8000-3",
      "7000-2",
      "7000-1",
    ]);
  });

  it("sorts long calls by their start and removes duplicates", () => {
    const listed = [call(9, 10), call(9, 9), call(5, 2)];
    assert.deepEqual(ids(merged([call(9, 10), call(7, 11)], listed)), ["9000-10", "9000-9", "7000-11", "5000-2"]);
  });
});
