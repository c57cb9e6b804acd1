import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { LineReader } from "./line-reader.ts";

function linesOf(chunks: readonly Buffer[], maxBytes = 1000) {
  const lines: string[] = [];
  const long: (string | undefined)[][] = [];
  const reader = new LineReader(
    maxBytes,
    (line) => void lines.push(line.toString("utf8")),
    ({ head, tail, endless }) => void long.push([head.toString(), tail?.toString(), ...(endless ? ["endless"] : [])]),
  );
  for (const chunk of chunks) reader.push(chunk);
  return { lines, long };
}

test("delivers complete lines from any chunking", (t) => {
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

test("accepts CRLF, and skips empty and incomplete lines", () => {
  assert.deepEqual(linesOf([Buffer.from("a\r\n\r\n\nb\nc")]).lines, ["a", "b"]);
});

test("skips a line that is too long, and reports it when it passes the limit and when it ends", () => {
  const chunks = ["aaab", "bbcc", "ccdd\ne", "e\n"].map((text) => Buffer.from(text));
  const long = [
    ["aaabbbcc", undefined],
    ["aaabbbcc", "aaabbbccccdd"],
  ];
  assert.deepEqual(linesOf(chunks, 6), { lines: ["ee"], long });
});

test("keeps only the ends of a long line, and reports an endless line once", () => {
  const chunks = Array.from({ length: 100 }, () => Buffer.alloc(1000, "x"));
  const { lines, long } = linesOf([Buffer.from("first"), ...chunks, Buffer.from("last\nnext\n")], 2000);
  assert.deepEqual(lines, ["next"]);
  assert.deepEqual(
    long.map(([head, tail, endless]) => [head?.length, tail?.length, endless]),
    [
      [256, undefined, undefined],
      [256, 256, "endless"],
    ],
  );
  const ended = linesOf([Buffer.from("first"), ...chunks, Buffer.from("last\n")], 50_000).long[1];
  assert.ok(ended?.[0]?.startsWith("firstx") && ended[1]?.endsWith("xlast"));
});

test("reads a line in very many chunks like one in a single chunk", () => {
  const piece = Buffer.from("x");
  const { lines } = linesOf([...Array.from({ length: 1 << 17 }, () => piece), Buffer.from("\n")], 1 << 17);
  assert.equal(lines[0]?.length, 1 << 17);
});
