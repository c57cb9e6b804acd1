import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { readEvents } from "./read-events.ts";

const TEXT =
  ': hello\r\n\r\nevent: message\r\ndata: {"a":\r\ndata: "本"}\r\n\r\ndata:first\n\nid: 1\n\ndata: second\r\rdata: cut off';

async function eventsOf(cuts: readonly number[]): Promise<string[]> {
  const bytes = Buffer.from(TEXT);
  const ends = [...new Set([...cuts.map((cut) => cut % bytes.length), bytes.length])].sort((a, b) => a - b);
  const chunks = ends.map((end, i) => new Uint8Array(bytes.subarray(ends[i - 1] ?? 0, end)));
  const events: string[] = [];
  for await (const event of readEvents(new Response(ReadableStream.from(chunks)))) events.push(event);
  return events;
}

it("reads the same events for all chunk boundaries, and drops an incomplete event", async (test) => {
  const seed = seedFor(test);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 12 }), async (cuts) => {
      assert.deepEqual(await eventsOf(cuts), ['{"a":\n"本"}', "first", "second"]);
    }),
    { seed, numRuns: 300 },
  );
});
