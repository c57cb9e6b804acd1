import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { LineReader } from "./line-reader.ts";

function linesOf(chunks: readonly Buffer[], maxBytes = 1000): { lines: string[]; tooLong: number } {
  const lines: string[] = [];
  const reader = new LineReader(maxBytes, (line) => void lines.push(line.toString("utf8")));
  const tooLong = chunks.filter((chunk) => reader.push(chunk)).length;
  return { lines, tooLong };
}

test("lines come whole, however they are cut into pieces", (t) => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.nat(20)), (texts, cuts) => {
      const lines = texts.map((text) => text.replaceAll(/[\r\n]/g, "")).filter((text) => text !== "");
      let rest = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      const chunks: Buffer[] = [];
      for (const cut of cuts) {
        chunks.push(rest.subarray(0, cut));
        rest = rest.subarray(cut);
      }
      assert.deepEqual(linesOf([...chunks, rest], 1e6).lines, lines);
    }),
    { seed: seedFor(t) },
  );
});

test("CRLF ends a line too, empty lines say nothing, and an unfinished line is not handed on", () => {
  assert.deepEqual(linesOf([Buffer.from("a\r\n\r\n\nb\nc")]).lines, ["a", "b"]);
});

test("a line beyond the cap is left out up to its end, and told once", () => {
  const chunks = ["aaaa", "aaaa", "aaaa\nb", "b\n"].map((text) => Buffer.from(text));
  assert.deepEqual(linesOf(chunks, 6), { lines: ["bb"], tooLong: 1 });
});
