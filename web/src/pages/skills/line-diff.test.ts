import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { diffLines, withoutUnchanged } from "./line-diff.ts";

describe("the difference of two texts", () => {
  it("contains both texts", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
        assert.equal(without("added").join("\n"), before);
        assert.equal(without("removed").join("\n"), after);
      }),
    );
  });

  it("is shown without most unchanged lines", () => {
    const before = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
    const shown = withoutUnchanged(diffLines(before, before.replace("line 15", "changed")));
    assert.equal(shown.length, 3 + 2 + 3 + 1);
    assert.equal(shown.at(-1), null);
  });
});
