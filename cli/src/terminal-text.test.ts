import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { manyLines, oneLine, safeJson, shortened, widthOf } from "./terminal-text.ts";

describe("text of a server", () => {
  it("is escaped: control characters, line breaks, reversed direction, invisible characters", () => {
    assert.equal(oneLine("a\u001b[31mb\r\n\tc"), "a\\u001b[31mb\\r\\n\\tc");
    assert.equal(
      oneLine("\u0000\u007f\u009b\u202e\u200b\u2028\ud800"),
      "\\u0000\\u007f\\u009b\\u202e\\u200b\\u2028\\ud800",
    );
    assert.equal(oneLine("\u{e0041}"), "\\udb40\\udc41");
    assert.equal(oneLine("Bücher 本 👩‍👩‍👧"), "Bücher 本 👩‍👩‍👧");
  });

  it("keeps line breaks and tabs in multi-line text", () => {
    assert.equal(manyLines("a\n\tb\u001b\r"), "a\n\tb\\u001b\\r");
  });

  it("stays the same value as JSON", () => {
    const value = { "k\u009b": "\u001b\u007f\u202e\n\ud800 本" };
    assert.deepEqual(JSON.parse(safeJson(value, 2)), value);
    assert.doesNotMatch(safeJson(value), /[\p{Cc}\p{Cf}\p{Cs}]/u);
  });
});

describe("columns", () => {
  it("are counted like in a terminal", () => {
    for (const [text, columns] of [
      ["", 0],
      ["abc", 3],
      ["é", 1],
      ["e\u0301", 1],
      ["本棚", 4],
      ["한글", 4],
      ["ＡＢ", 4],
      ["🚀", 2],
      ["👩‍👩‍👧", 2],
      ["❤️", 2],
      ["→…—", 3],
      ["ｱ", 1],
    ] as const) {
      assert.equal(widthOf(text), columns, text);
    }
  });

  it("are truncated between characters, with an ellipsis", () => {
    assert.equal(shortened("abcdef", 6), "abcdef");
    assert.equal(shortened("abcdefg", 6), "abcde…");
    assert.equal(shortened("本本本本", 6), "本本…");
  });
});
