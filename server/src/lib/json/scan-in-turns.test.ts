import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { ByteSource } from "./byte-source.ts";
import { JsonFault, type Scan } from "./scan.ts";
import { ScanInTurns } from "./scan-in-turns.ts";
import { scanJson } from "./scanner.ts";
import { watchPlan } from "./watch-plan.ts";

const OPTIONS = { watch: watchPlan([[], ["result"], ["params"]]), maxDepth: 8 };

function scanWhole(chunks: readonly Buffer[]): Scan | "fault" {
  try {
    return scanJson(chunks, OPTIONS);
  } catch (fault) {
    assert.ok(fault instanceof JsonFault);
    return "fault";
  }
}

it("gives the same result in turns of any size, and reports it once", (t) => {
  const value = fc.record({ id: fc.integer(), result: fc.object(), params: fc.jsonValue() }, { requiredKeys: [] });
  const text = fc.oneof(
    value.map((each) => JSON.stringify(each)),
    value.map((each) => JSON.stringify(each).slice(0, -1)),
    fc.json(),
  );
  const bytes = fc.oneof(
    text.map((each) => Buffer.from(each)),
    fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
  );
  const sizes = [fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 17 })] as const;
  fc.assert(
    fc.property(bytes, ...sizes, (body, chunkBytes, pieceBytes) => {
      const chunks: Buffer[] = [];
      for (let at = 0; at < body.length; at += chunkBytes) chunks.push(body.subarray(at, at + chunkBytes));
      const outcomes: (Scan | "fault")[] = [];
      const scan = new ScanInTurns(new ByteSource(chunks), OPTIONS, (outcome) => {
        outcomes.push(outcome instanceof JsonFault ? "fault" : outcome);
      });
      while (scan.takeTurn(pieceBytes));
      assert.deepEqual(outcomes, [scanWhole(chunks)]);
    }),
    { seed: seedFor(t), numRuns: 2000 },
  );
});
