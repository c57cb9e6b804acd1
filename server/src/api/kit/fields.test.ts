import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Refusal } from "#lib/errors";
import { type FieldTree, readFields, selectFields } from "./fields.ts";

const KNOWN = { slug: true, name: true, tools: { name: true, slug: true, inner: { deep: true } } } as const;
const ENTRY = { slug: "s", name: "n", tools: [{ name: "t", slug: "u", inner: { deep: 1, hidden: 2 } }], hidden: "x" };

describe("a field selection", () => {
  const selected = (text: string) => selectFields(ENTRY, readFields(text, KNOWN));

  it("keeps the selected fields, entirely or in part", () => {
    assert.deepEqual(selected("slug"), { slug: "s" });
    assert.deepEqual(selected("name,slug"), { slug: "s", name: "n" });
    assert.deepEqual(selected(" name , tools ( slug ) "), { name: "n", tools: [{ slug: "u" }] });
    assert.deepEqual(selected("tools"), { tools: ENTRY.tools });
    assert.deepEqual(selected("tools(inner(deep),name),slug"), {
      slug: "s",
      tools: [{ name: "t", inner: { deep: 1 } }],
    });
    assert.deepEqual(selected("slug,,name,"), { slug: "s", name: "n" });
  });

  it("names unknown fields", () => {
    for (const [text, message] of [
      ["nope", 'fields: unknown field "nope"'],
      ["tools(nope)", 'fields: unknown field "nope"'],
      ["slug.name", 'fields: unknown field "slug.name"'],
      ["hidden", 'fields: unknown field "hidden"'],
      ["__proto__", 'fields: unknown field "__proto__"'],
      ["constructor", 'fields: unknown field "constructor"'],
      ["Slug", 'fields: unknown field "Slug"'],
      ["slug(name)", 'fields: field "slug" has no nested fields'],
      ["tools(name", "fields: unbalanced parentheses"],
      ["tools)", "fields: unbalanced parentheses"],
      ["tools(name))", "fields: unbalanced parentheses"],
      ["(slug)", "fields: unbalanced parentheses"],
      ["tools((name))", "fields: unbalanced parentheses"],
      [`slug${",slug".repeat(500)}`, "fields: must be at most 2000 characters"],
    ] as const) {
      assert.throws(() => readFields(text, KNOWN), { message }, text);
    }
  });

  it("never returns an undeclared field, and fails only with a validation error (API-6)", () => {
    const piece = fc.constantFrom("slug", "name", "tools", "inner", "deep", "hidden", "(", ")", ",", " ", "__proto__");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        let tree: FieldTree;
        try {
          tree = readFields(pieces.join(""), KNOWN);
        } catch (error) {
          assert.ok(error instanceof Refusal, String(error));
          return;
        }
        assertKnown(tree, KNOWN);
        const keys = Object.keys(selectFields(ENTRY, tree));
        assert.ok(keys.every((key) => ["slug", "name", "tools"].includes(key)));
      }),
      { numRuns: 2_000 },
    );
  });
});

function assertKnown(tree: FieldTree, known: object): void {
  for (const [name, inside] of tree) {
    assert.ok(Object.hasOwn(known, name), name);
    if (inside !== "all") assertKnown(inside, Reflect.get(known, name));
  }
}
