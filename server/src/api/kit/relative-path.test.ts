import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { safeReturn, upTo } from "./relative-path.ts";

describe("relative paths of pages", () => {
  it("lead from a page to the root of the service, behind any proxy path", () => {
    for (const [page, root] of [
      ["/sign-in", "/"],
      ["/sign-in?return_to=/a/b", "/"],
      ["/connect/github", "/"],
      ["/connect/github/callback?x=1", "/"],
    ] as const) {
      assert.equal(new URL(upTo(page), `http://h${page}`).pathname, root);
      assert.equal(new URL(upTo(page), `http://h/below${page}`).pathname, "/below/");
    }
  });

  it("lead back only to this site", (test) => {
    const text = fc.string({
      unit: fc.constantFrom("/", "\\", ".", "a", ":", "@", "?", "#", "%", "2f", "\t", "\n", "é"),
    });
    fc.assert(
      fc.property(text, (asked) => {
        const target = new URL(safeReturn(asked, "./account"), "https://own.example.com/sign-in");
        assert.equal(target.origin, "https://own.example.com");
      }),
      { seed: seedFor(test), numRuns: 2_000 },
    );
    assert.equal(safeReturn("/connect/x?y=1", "./account"), "./connect/x?y=1");
    assert.equal(safeReturn(`/${"a".repeat(2_000)}`, "./account"), "./account");
  });
});
