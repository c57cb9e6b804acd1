import assert from "node:assert/strict";
import { it } from "node:test";
import { exportEntries } from "./export-entries.ts";

const KB = 1024;

/** Exports texts of these sizes, and returns the numbers of entries that were read together, and the largest piece. */
async function exportTexts(sizes: readonly number[]) {
  const pages: number[] = [];
  const { pieces } = await exportEntries<string>({
    ...{ name: "texts", format: "ndjson", now: 0, columns: ["text"] },
    cells: (text) => [text],
    async readPage(cursor, limit) {
      const from = Number(cursor ?? 0);
      const page = sizes.slice(from, from + limit);
      pages.push(page.length);
      const next = from + page.length;
      return {
        entries: page.map((size) => "x".repeat(size)),
        nextCursor: next < sizes.length ? String(next) : undefined,
      };
    },
  });
  let [entries, largest] = [0, 0];
  for await (const piece of pieces) {
    entries += piece.split("\n").length - 1;
    largest = Math.max(largest, piece.length);
  }
  return { pages, entries, largest };
}

it("reads 200 small entries together", async () => {
  const { pages, entries } = await exportTexts(Array.from({ length: 650 }, () => 100));
  assert.deepEqual(pages, [10, 40, 160, 200, 200, 40]);
  assert.equal(entries, 650);
});

it("reads fewer large entries together, so that memory use does not depend on their size", async () => {
  const { pages, entries, largest } = await exportTexts(Array.from({ length: 100 }, () => 100 * KB));
  assert.deepEqual(pages.slice(0, 3), [10, 2, 2]);
  assert.equal(entries, 100);
  assert.ok(largest < 1100 * KB, `${largest}`);
});
