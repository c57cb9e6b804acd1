import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import picomatch from "picomatch";
import { compileGlob, isValidGlob } from "./globs.ts";

describe("the globs of rules", () => {
  it("match like picomatch for texts without slashes", () => {
    const piece = fc.constantFrom("a", "b", "-", "*", "?", "[ab]", "[^a]", "[a-c]", "{a,b}", "{ab,c*}", "x1");
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "x", "1"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (pieces, value) => {
        const glob = pieces.join("");
        const options = { nocase: true, nonegate: true, noextglob: true, dot: true, bash: true };
        assert.equal(compileGlob(glob)?.(value), picomatch.isMatch(value, glob, options), `${glob} and ${value}`);
      }),
      { numRuns: 500 },
    );
  });

  it("never throw", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (glob, text) => compileGlob(glob)?.(text) !== null));
  });

  it("match hostile patterns and texts in a bounded time", () => {
    const matcher = compileGlob(`${"*a".repeat(127)}b`);
    const startedAt = performance.now();
    assert.equal(matcher?.("a".repeat(100_000)), false);
    assert.ok(performance.now() - startedAt < 2000);
  });

  it("ignore case on both sides, and read only the first 4096 characters of a text", () => {
    assert.ok(compileGlob("LIN[A-E]AR*")?.("linear") && compileGlob("linear")?.("LINEAR"));
    assert.deepEqual(
      [4095, 4096].map((length) => compileGlob("*b")?.(`${"a".repeat(length)}b`)),
      [true, false],
    );
  });

  it("have sets of single characters and ranges", () => {
    for (const [glob, matching, other] of [
      ["[!]]", "a", "]"],
      ["[^]]", "a", "]"],
      ["[!a]", "!", "a"],
      ["[adg]", "d", "b"],
      ["[a-a]", "a", "-"],
      ["[a-cx]", "x", "-"],
      ["[a-c-e]", "-", "d"],
    ] as const)
      assert.deepEqual([compileGlob(glob)?.(matching), compileGlob(glob)?.(other)], [true, false], glob);
  });

  it("do not use a character twice, before and after a star", () => {
    assert.deepEqual([compileGlob("ab*bx")?.("abx"), compileGlob("ab*bx")?.("abbx")], [false, true]);
  });

  it("read line ends like any other character", () => {
    assert.deepEqual([compileGlob("a\nb")?.("a\nb"), compileGlob("a\nb")?.("ab")], [true, false]);
  });

  it("are invalid if a group or a set is closed before it is opened", () => {
    assert.deepEqual(["}{", "}a{", "[a]b]"].filter(isValidGlob), []);
  });

  it("have at most 64 alternatives", () => {
    assert.ok(compileGlob("{a,b}".repeat(6))?.("ababab"));
    assert.equal(compileGlob("{a,b}".repeat(7)), undefined);
    const list = (count: number) => `{${Array(count).fill("a").join(",")}}`;
    assert.deepEqual([isValidGlob(list(64)), isValidGlob(list(65))], [true, false]);
  });

  it("are at most 256 characters", () => {
    assert.ok(compileGlob("a".repeat(256)));
    assert.equal(compileGlob("a".repeat(257)), undefined);
  });
});
