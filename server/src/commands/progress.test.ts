import assert from "node:assert/strict";
import { it } from "node:test";
import { testClock } from "#test/clock";
import { everyFewSeconds } from "./progress.ts";

it("the progress of long work is printed every few seconds, and that of short work not at all", () => {
  const clock = testClock();
  const lines: string[] = [];
  const report = everyFewSeconds((line) => lines.push(line), clock);
  for (let rows = 0; rows < 12; rows++) {
    report(`${rows} rows`);
    clock.advance(1_000);
  }
  assert.deepEqual(lines, ["5 rows", "10 rows"]);
});
