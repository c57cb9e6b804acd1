import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { firstFreeAttempt, isSlug, SLUG_MAX_LENGTH, slugCandidate, slugFromName } from "./slug.ts";

const anyName = fc.oneof(fc.string({ unit: "binary" }), fc.string({ maxLength: 90 }), fc.string({ unit: "grapheme" }));
const slug = anyName.map((name) => slugFromName(name, "server"));

describe("slugs (D5)", () => {
  for (const [name, expected] of [
    ["GitHub", "github"],
    ["  My  Server!! ", "my-server"],
    ["Café Zürich", "cafe-zurich"],
    ["ＦＵＬＬ width", "full-width"],
    ["a__b", "a-b"],
    ["日本", "server"],
    ["---", "server"],
    ["", "server"],
    ["x".repeat(60), "x".repeat(40)],
    [`${"x".repeat(39)} y`, "x".repeat(39)],
  ] as const) {
    it(`${JSON.stringify(name)} becomes ${expected}`, () => assert.equal(slugFromName(name, "server"), expected));
  }

  it("made from any name have at most 40 characters and are stable", () => {
    fc.assert(
      fc.property(slug, (made) => {
        assert.ok(isSlug(made) && made.length <= SLUG_MAX_LENGTH, made);
        assert.equal(slugFromName(made, "server"), made);
      }),
    );
  });

  it("with a suffix have at most 40 characters, and differ for each attempt", () => {
    fc.assert(
      fc.property(slug, fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 2 }), (wanted, attempts) => {
        const candidates = attempts.map((attempt) => slugCandidate(wanted, attempt));
        for (const each of candidates) assert.ok(isSlug(each) && each.length <= SLUG_MAX_LENGTH, each);
        assert.equal(new Set(candidates).size, candidates.length);
      }),
    );
  });

  it("that are taken continue with the first free number", () => {
    assert.equal(firstFreeAttempt("a", new Set()), 1);
    assert.equal(firstFreeAttempt("a", new Set(["a", "a-2", "a-4"])), 3);
  });

  for (const wrong of ["", "-", "-a", "a-", "A", "a_b", "a b", "ä", "a\n", "a.b", "a/b", "１"]) {
    it(`rejects ${JSON.stringify(wrong)}`, () => assert.equal(isSlug(wrong), false));
  }

  it("never contain an underscore, so that {slug}__{tool} is unambiguous (GW-4)", () => {
    const tool = fc.string({ unit: fc.constantFrom("a", "_", "-"), minLength: 1 });
    fc.assert(
      fc.property(slug, tool, slug, tool, (s1, t1, s2, t2) => {
        fc.pre(s1 !== s2 || t1 !== t2);
        assert.notEqual(`${s1}__${t1}`, `${s2}__${t2}`);
      }),
      { numRuns: 2_000 },
    );
  });
});
