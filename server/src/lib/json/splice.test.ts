import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ByteSource } from "./byte-source.ts";
import { type Edit, readString, splice, spliceParts } from "./splice.ts";

function chunked(text: string, length: number): ByteSource {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += length) chunks.push(bytes.subarray(at, at + length));
  return new ByteSource(chunks);
}

describe("splice", () => {
  it("replaces each range with its text and copies the rest, in any chunks", () => {
    const edits: Edit[] = [
      { start: 0, end: 0, text: "<" },
      { start: 2, end: 4, text: "Zürich" },
      { start: 4, end: 4, text: Buffer.from("|") },
      { start: 9, end: 10, text: "" },
    ];
    for (const length of [1, 3, 10]) {
      assert.equal(splice(chunked("0123456789", length), edits).toString(), "<01Zürich|45678");
    }
  });

  it("returns large sources as views with the edits between them", () => {
    const source = chunked("x".repeat(50_000), 20_000);
    const parts = spliceParts(source, [
      { start: 10, end: 20, text: "one" },
      { start: 45_000, end: 45_000, text: "two" },
    ]);
    assert.equal(Buffer.concat(parts).toString(), `${"x".repeat(10)}one${"x".repeat(44_980)}two${"x".repeat(5_000)}`);
    assert.equal(parts[2]?.buffer, source.chunks[0]?.buffer);
  });

  it("returns small sources as one Buffer, for a single write", () => {
    const parts = spliceParts(chunked("0123456789", 3), [{ start: 1, end: 2, text: "one" }]);
    assert.deepEqual(parts, [Buffer.from("0one23456789")]);
  });

  it("rejects edits that overlap, are out of order, or are out of range", () => {
    const source = chunked("0123456789", 4);
    const invalid: Edit[][] = [
      [
        { start: 3, end: 5, text: "" },
        { start: 4, end: 6, text: "" },
      ],
      [
        { start: 5, end: 6, text: "" },
        { start: 1, end: 2, text: "" },
      ],
      [{ start: 5, end: 4, text: "" }],
      [{ start: 9, end: 11, text: "" }],
    ];
    for (const edits of invalid) assert.throws(() => splice(source, edits), RangeError);
  });

  it("reads any string value from its range", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 9 }), (value, length) => {
        const text = JSON.stringify(value);
        const source = chunked(`[${text}]`, length);
        assert.equal(readString(source, { start: 1, end: 1 + Buffer.byteLength(text) }), value);
      }),
    );
  });
});
