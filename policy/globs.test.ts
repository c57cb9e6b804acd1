import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import picomatch from "picomatch";
import { compileGlob, compileUrlGlob, isValidGlob } from "./globs.ts";

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

describe("a pattern of URLs", () => {
  for (const [glob, matching, others] of [
    ["https://*.acme.com/*", ["https://a.b.acme.com/x/y"], ["https://evil.example/.acme.com/x", "https://acme.com/x"]],
    ["https://*.acme.com", ["https://a.acme.com"], ["https://evil.example/x.acme.com", "https://a.acme.com/x"]],
    ["*://*.acme.com/mcp", ["http://a.acme.com/mcp"], ["https://evil.example/x://y.acme.com/mcp"]],
    ["https://mcp[!x]acme.com/*", ["https://mcp-acme.com/y"], ["https://mcp/acme.com/y"]],
    ["https://mcp?acme.com/*", ["https://mcp.acme.com/y"], ["https://mcp/acme.com/y"]],
    ["https://{a,b}.acme.com/*/mcp", ["https://a.acme.com/x/y/mcp"], ["https://c/a.acme.com/x/mcp"]],
    ["https://*.acme.com/*", ["https://a.acme.com/$x"], ["https://$x.acme.com/y", "https://{x}.acme.com/y"]],
    ["https://*", ["https://a.example", "https://a.example/x/y"], ["http://a.example"]],
    ["https://*a*b*.c/*", ["https://xaxbx.c/"], ["https://xa/b.c/", "https://x/a/b.c/"]],
    ["*acme*", ["https://evil.example/acme/x"], ["https://evil.example"]],
  ] as const) {
    it(`keeps ${glob} inside of the host`, () => {
      const matches = compileUrlGlob(glob);
      assert.deepEqual(
        [...matching, ...others].map((url) => matches?.(url)),
        [...matching.map(() => true), ...others.map(() => false)],
      );
    });
  }

  it("finds every match inside of the host", () => {
    const text = fc.stringMatching(/^[ab/]{0,8}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[ab*]{1,6}$/), fc.stringMatching(/^[ab*/]{0,6}$/), text, (host, path, url) => {
        const expected = new RegExp(`^s://${host.replaceAll("*", "[^/]*")}/${path.replaceAll("*", ".*")}$`);
        assert.equal(compileUrlGlob(`s://${host}/${path}`)?.(`s://${url}`), expected.test(`s://${url}`));
      }),
      { numRuns: 2000 },
    );
  });
});
