import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fold } from "./fold.ts";

describe("fold", () => {
  for (const [a, b] of [
    ["Müller", "mu\u0308LLER"],
    ["ＡＢＣ", "abc"],
    ["ﬁle", "FILE"],
    ["ΟΔΟΣ", "οδος"],
    ["ΟΔΟΣ", "οδοσ"],
    ["Straße", "STRAẞE"],
    ["Ⅳ", "iv"],
    ["K", "k"],
  ] as const) {
    it(`treats ${a} and ${b} alike`, () => assert.equal(fold(a), fold(b)));
  }

  it("distinguishes characters that people read as different", () => {
    assert.notEqual(fold("a"), fold("ä"));
    assert.notEqual(fold("a"), fold("а"), "Latin and Cyrillic");
  });

  it("is idempotent for every Unicode character", () => {
    const unstable: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const once = fold(String.fromCodePoint(code));
      if (fold(once) !== once) unstable.push(code.toString(16));
    }
    assert.deepEqual(unstable, []);
  });
});
