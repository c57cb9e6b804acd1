import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { differencesBetween, wordsBetween } from "./tool-differences.ts";

describe("differences between two definitions (GW-17)", () => {
  it("are listed by path, with a word-level difference for text", () => {
    const before = JSON.stringify({
      description: "Reads a file",
      inputSchema: { type: "object", properties: { path: { type: "string" } } },
      annotations: { readOnlyHint: true },
    });
    const after = JSON.stringify({
      description: "Reads a secret file",
      inputSchema: { type: "object", properties: { path: { type: "string", description: "Any" } }, required: ["path"] },
      annotations: { readOnlyHint: false },
      _meta: { x: 1 },
    });
    assert.deepEqual(differencesBetween(before, after), [
      {
        field: "description",
        before: "Reads a file",
        after: "Reads a secret file",
        words: [
          { kind: "same", text: "Reads a " },
          { kind: "added", text: "secret " },
          { kind: "same", text: "file" },
        ],
      },
      { field: "annotations.readOnlyHint", before: "true", after: "false" },
      { field: "inputSchema.properties.path.description", before: null, after: "Any" },
      { field: "inputSchema.required", before: null, after: '["path"]' },
    ]);
  });

  it("contain everything for a new tool and nothing for an unchanged one", () => {
    const text = JSON.stringify({ description: "d", inputSchema: { type: "object" } });
    assert.deepEqual(
      differencesBetween(null, text).map(({ field, before }) => [field, before]),
      [
        ["description", null],
        ["inputSchema.type", null],
      ],
    );
    assert.deepEqual(differencesBetween(text, text), []);
  });

  it("contain all words of both texts", () => {
    const texts = fc
      .array(fc.constantFrom("a", "b", "the", " ", "\n", "x"), { maxLength: 30 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const words = wordsBetween(before, after);
        const without = (kind: string) =>
          words
            .filter((each) => each.kind !== kind)
            .map(({ text }) => text)
            .join("");
        assert.deepEqual([without("added"), without("removed")], [before, after]);
        if (before === after) assert.ok(words.every(({ kind }) => kind === "same"));
      }),
    );
  });

  it("report very long texts as replaced", () => {
    const [a, b] = ["a ", "b "].map((word) => word.repeat(1_000));
    assert.deepEqual(
      wordsBetween(`x ${a}y`, `x ${b}y`).map(({ kind }) => kind),
      ["same", "removed", "added", "same"],
    );
  });
});
