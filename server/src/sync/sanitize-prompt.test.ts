import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSpecType } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { sanitizePrompt } from "./sanitize-prompt.ts";

const sanitize = (prompt: unknown) => sanitizePrompt(JSON.stringify(prompt), 3);

function definitionOf(prompt: unknown): Record<string, unknown> {
  const result = sanitize(prompt);
  assert.ok("item" in result, "refused" in result ? result.refused : "");
  return JSON.parse(result.item.definition);
}

describe("sanitizePrompt", () => {
  it("keeps known members and removes invisible characters (GW-17)", () => {
    const prompt = {
      name: "greet",
      title: "Gre\u202eet",
      description: "d".repeat(9_000),
      arguments: [{ name: "who", description: null, required: "yes", extra: 1 }],
      icons: [{ src: "javascript:x" }, { src: "https://example.com/i.png" }],
      _meta: { a: 1 },
    };
    assert.deepEqual(definitionOf(prompt), {
      title: "Greet",
      description: "d".repeat(8 * 1024),
      arguments: [{ name: "who" }],
      icons: [{ src: "https://example.com/i.png" }],
      _meta: { a: 1 },
    });
  });

  it("derives slugs like those of tools (D28)", () => {
    const slugs = ["greet", "a b"].map((name) => {
      const result = sanitize({ name });
      return "item" in result ? result.item.slug : "";
    });
    assert.equal(slugs[0], "greet");
    assert.match(slugs[1] ?? "", /^a-b-[0-9a-f]{8}$/);
  });

  const refusals: [string, unknown, RegExp][] = [
    ["is not an object", "text", /not an object/],
    ["has no name", { description: "x" }, /name/],
    ["has a name with a line break", { name: "a\nb" }, /name/],
    ["has arguments that are not a list", { name: "a", arguments: {} }, /not a list/],
    ["has an argument without a name", { name: "a", arguments: [{ name: "b" }, {}] }, /no name/],
    ["is too large", { name: "a", _meta: { pad: "x".repeat(300_000) } }, /too large/],
  ];
  for (const [which, prompt, reason] of refusals) {
    it(`rejects a prompt that ${which}`, () => {
      const result = sanitize(prompt);
      assert.match("refused" in result ? result.refused : "", reason);
    });
  }

  it("returns only prompts that the official client accepts", () => {
    const any = fc.jsonValue({ maxDepth: 2 });
    const argument = fc.record(
      { name: fc.constantFrom("a", "b"), description: any, required: any },
      { requiredKeys: [] },
    );
    const prompt = fc.record(
      {
        name: fc.constantFrom("a", "b c"),
        title: any,
        description: any,
        arguments: fc.oneof(fc.array(argument), any),
        icons: any,
        _meta: any,
      },
      { requiredKeys: ["name"] },
    );
    fc.assert(
      fc.property(prompt, (listed) => {
        const result = sanitize(listed);
        if ("refused" in result) return;
        const seen = { name: "x", ...JSON.parse(result.item.definition) };
        assert.ok(isSpecType.Prompt(seen), JSON.stringify(seen));
      }),
      { numRuns: 1_000 },
    );
  });
});
