import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ChunkList } from "./chunk-list.ts";

function listOf(...chunks: readonly Buffer[]): ChunkList {
  const list = new ChunkList();
  for (const chunk of chunks) list.push(chunk);
  return list;
}

describe("ChunkList", () => {
  it("keeps the only chunk without copying it", () => {
    const chunk = Buffer.alloc(2, "{}");
    assert.equal(listOf(chunk).chunks[0], chunk);
    assert.equal(listOf(chunk).toBuffer(), chunk);
  });

  it("does not retain the buffer that a small chunk is a slice of", () => {
    const whole = Buffer.alloc(64 * 1024);
    const [kept] = listOf(whole.subarray(0, 10)).chunks;
    assert.ok(kept && kept.buffer !== whole.buffer);
  });

  it("keeps large chunks without copying them", () => {
    const chunks = [Buffer.alloc(2_000, "a"), Buffer.alloc(1_024, "b")];
    assert.deepEqual([...listOf(...chunks).chunks], chunks);
  });

  it("stores 100,000 chunks of one byte in a few blocks", () => {
    const list = listOf(...Array.from({ length: 100_000 }, (_, i) => Buffer.from([i % 251])));
    assert.ok(list.chunks.length <= 8, `${list.chunks.length} chunks`);
    assert.equal(list.bytes, 100_000);
  });

  it("stores small chunks between large ones in the same block", () => {
    const list = listOf(Buffer.alloc(1_024), Buffer.from("a"), Buffer.alloc(1_024), Buffer.from("b"));
    const [, first, , second] = list.chunks;
    assert.ok(first && second && first.buffer === second.buffer);
  });

  it("exceeds a limit by its bytes or by the number of its chunks", () => {
    const large = listOf(Buffer.alloc(1_024));
    assert.deepEqual([large.exceeds(1_024), large.exceeds(1_023)], [false, true]);
    const tiny = listOf(...Array.from({ length: 16 }, () => Buffer.from("a")));
    assert.deepEqual([tiny.exceeds(1_024), tiny.exceeds(1_023)], [false, true]);
  });

  it("returns all bytes in order, also when chunks are read in between", () => {
    const chunk = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ minLength: 900, maxLength: 2_000 }));
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 60 }), fc.nat(60), (chunks, readAt) => {
        const list = new ChunkList();
        chunks.forEach((each, i) => {
          if (i === readAt) list.chunks;
          list.push(Buffer.from(each));
        });
        assert.deepEqual(list.toBuffer(), Buffer.concat(chunks));
        assert.deepEqual(Buffer.concat(list.chunks), Buffer.concat(chunks));
      }),
    );
  });
});
