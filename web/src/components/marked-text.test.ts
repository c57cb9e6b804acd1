import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { splitText } from "./marked-text.ts";

const shown = (text: string, spans: [number, number][] = []) =>
  splitText(
    text,
    spans.map(([start, end]) => ({ start, end, label: "x" })),
  ).map(({ text: part, label, hidden }) => hidden ?? (label ? `[${part}]` : part));

describe("marked text", () => {
  it("marks spans and joins those that overlap or touch", () => {
    assert.deepEqual(shown("read the key now", [[5, 8]]), ["read ", "[the]", " key now"]);
    assert.deepEqual(
      shown("read the key now", [
        [9, 12],
        [5, 10],
      ]),
      ["read ", "[the key]", " now"],
    );
    assert.deepEqual(shown("", []), []);
  });

  it("ignores spans outside of the text and empty ones", () => {
    assert.deepEqual(
      shown("abc", [
        [0, 0],
        [2, 9],
      ]),
      ["abc"],
    );
  });

  it("shows invisible characters by their code point, also inside of spans", () => {
    assert.deepEqual(shown("a\u200bb"), ["a", "U+200B", "b"]);
    assert.deepEqual(shown("a\u{e0041}b\u202e", [[0, 4]]), ["[a]", "U+E0041", "[b]", "U+202E"]);
    assert.deepEqual(shown("line\nnext\tcell"), ["line\nnext\tcell"]);
  });

  it("keeps the whole text", () => {
    const text = "a\u200b\u200bz\u{1f600}\ufeff";
    assert.equal(
      splitText(text, [{ start: 1, end: 3, label: "x" }])
        .map((part) => part.text)
        .join(""),
      text,
    );
  });
});
