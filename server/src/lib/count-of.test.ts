import assert from "node:assert/strict";
import { it } from "node:test";
import { countOf } from "./count-of.ts";

it("uses the singular for one only", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => countOf(count, "row")),
    ["0 rows", "1 row", "2 rows"],
  );
  assert.deepEqual(
    [1, 2].map((count) => countOf(count, "entry", "entries")),
    ["1 entry", "2 entries"],
  );
});
