import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { ByteSource } from "#lib/json/byte-source";
import { seedFor } from "#test/seed";
import { LargeResponse, readResponse, type UpstreamMessage } from "./read-response.ts";

/** Without the source, and without the reason of a rejection, which depends on the pieces. */
function fieldsOf(message: UpstreamMessage): object {
  return message.kind === "invalid" ? { kind: "invalid" } : { ...message, source: undefined };
}

it("a message read in turns gives the same result as one read as a whole", (t) => {
  const message = fc.oneof(
    fc.record({ jsonrpc: fc.constant("2.0"), id: fc.integer(), result: fc.object({ withNullPrototype: false }) }),
    fc.record({
      jsonrpc: fc.constant("2.0"),
      id: fc.integer(),
      error: fc.record({ code: fc.integer(), message: fc.string() }),
    }),
    fc.record({ jsonrpc: fc.constant("2.0"), method: fc.string(), params: fc.object() }),
    fc.json().map((text) => ({ jsonrpc: "1.0", text })),
  );
  const body = fc.oneof(
    message.map((value) => Buffer.from(JSON.stringify(value))),
    message.map((value) => Buffer.from(JSON.stringify(value).slice(0, -1))),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
  fc.assert(
    fc.property(
      body,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 17 }),
      (bytes, chunkBytes, pieceBytes) => {
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
        let read: UpstreamMessage | undefined;
        const reading = new LargeResponse(new ByteSource(chunks), (done) => {
          assert.equal(read, undefined, "reported once");
          read = done;
        });
        while (reading.takeTurn(pieceBytes));
        assert.ok(read);
        assert.deepEqual(fieldsOf(read), fieldsOf(readResponse(chunks)));
      },
    ),
    { seed: seedFor(t), numRuns: 1000 },
  );
});
