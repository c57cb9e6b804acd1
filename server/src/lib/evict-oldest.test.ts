import assert from "node:assert/strict";
import { it } from "node:test";
import { evictOldest } from "./evict-oldest.ts";

it("keeps the entries that were inserted last", () => {
  const map = new Map([1, 2, 3, 4].map((key) => [key, String(key)]));
  map.delete(1);
  map.set(1, "again");
  evictOldest(map, 2);
  assert.deepEqual([...map.keys()], [4, 1]);
  const set = new Set(["a", "b", "c"]);
  evictOldest(set, 2);
  assert.deepEqual([...set], ["b", "c"]);
});

it("deletes nothing while there is room", () => {
  const set = new Set(["a", "b"]);
  evictOldest(set, 2);
  assert.deepEqual([...set], ["a", "b"]);
});
