import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Call } from "./call-labels.ts";
import { merged } from "./merge-calls.ts";

/** Of a call, the order needs no more than these. */
function call(second: number, number: number): Call {
  const ts = new Date(second * 1000).toISOString();
  return { id: `${second * 1000}-${number}`, ts } as Call;
}

describe("calls that come in while the list is open", () => {
  const ids = (calls: readonly Call[]) => calls.map(({ id }) => id);

  it("stand before the ones that were there", () => {
    assert.deepEqual(ids(merged([call(9, 4), call(8, 3)], [call(7, 2), call(7, 1)])), [
      "9000-4",
      "8000-3",
      "7000-2",
      "7000-1",
    ]);
  });

  it("are put where they belong when they took long, and shown once", () => {
    const listed = [call(9, 10), call(9, 9), call(5, 2)];
    assert.deepEqual(ids(merged([call(9, 10), call(7, 11)], listed)), ["9000-10", "9000-9", "7000-11", "5000-2"]);
  });
});
