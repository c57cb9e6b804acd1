import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findInvisibleCharacters } from "./invisible-characters.ts";

describe("findInvisibleCharacters (GW-17)", () => {
  for (const [which, text, expected] of [
    ["Unicode tags", "a\u{e0041}\u{e007f}", ["U+E0041", "U+E007F"]],
    ["bidi controls", "a\u202eb\u2066c\u200f\u061c", ["U+061C", "U+200F", "U+202E", "U+2066"]],
    ["zero-width characters", "a\u200bb\u200dc\u200cd\ufeff", ["U+200B", "U+200C", "U+200D", "U+FEFF"]],
    [
      "soft hyphens, joiners and invisible operators",
      "\u00ad\u2060\u2064\u180e",
      ["U+00AD", "U+180E", "U+2060", "U+2064"],
    ],
    ["variation selectors out of place", "a\ufe01 b\u{e0100}", ["U+FE01", "U+E0100"]],
    ["variation selectors in a row, which carry bytes", "👍\ufe0f\ufe01\u{e0101}", ["U+FE01", "U+E0101"]],
    ["control characters", "a\u0000b\u001b\u0085", ["U+0000", "U+001B", "U+0085"]],
  ] as const) {
    it(`reports ${which}`, () => assert.deepEqual(findInvisibleCharacters(text), expected));
  }

  it("allows selectors and joiners of emoji and scripts, line breaks, and tabs", () => {
    assert.deepEqual(findInvisibleCharacters("❤️ 👨‍👩‍👧 👍🏽‍ 1️⃣ می‌خواهم क्‍ष 葛\u{e0100}\t\r\n"), []);
  });

  it("searches keys and values at every depth and reports at most 32 distinct characters", () => {
    assert.deepEqual(findInvisibleCharacters({ a: [{ "k\u200b": ["v\u2060", "\u200b"] }], n: 1, none: null }), [
      "U+200B",
      "U+2060",
    ]);
    const tags = Array.from({ length: 128 }, (_, at) => String.fromCodePoint(0xe0000 + at)).join("");
    assert.equal(findInvisibleCharacters(tags).length, 32);
  });
});
