import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSpecType } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { sanitizePrompt } from "./sanitize-prompt.ts";

const sanitize = (prompt: unknown) => sanitizePrompt(JSON.stringify(prompt), 3);

function definitionOf(prompt: unknown): Record<string, unknown> {
  const judged = sanitize(prompt);
  assert.ok("item" in judged, "refused" in judged ? judged.refused : "");
  return JSON.parse(judged.item.definition);
}

describe("a prompt of an upstream", () => {
  it("keeps what clients understand, without what a person cannot see (GW-17)", () => {
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

  it("gets a name by the rule of tools (D28)", () => {
    const slugs = ["greet", "a b"].map((name) => {
      const judged = sanitize({ name });
      return "item" in judged ? judged.item.slug : "";
    });
    assert.equal(slugs[0], "greet");
    assert.match(slugs[1] ?? "", /^a-b-[0-9a-f]{8}$/);
  });

  const refusals: [string, unknown, RegExp][] = [
    ["is no object", "text", /not an object/],
    ["has no name", { description: "x" }, /name/],
    ["has a name with a line break", { name: "a\nb" }, /name/],
    ["has arguments that are no list", { name: "a", arguments: {} }, /not a list/],
    ["has an argument without a name", { name: "a", arguments: [{ name: "b" }, {}] }, /no name/],
    ["is too large", { name: "a", _meta: { pad: "x".repeat(300_000) } }, /too large/],
  ];
  for (const [words, prompt, reason] of refusals) {
    it(`is left out when it ${words}`, () => {
      const judged = sanitize(prompt);
      assert.match("refused" in judged ? judged.refused : "", reason);
    });
  }

  it("whatever it is, is refused or accepted by the official client", () => {
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
        const judged = sanitize(listed);
        if ("refused" in judged) return;
        const seen = { name: "x", ...JSON.parse(judged.item.definition) };
        assert.ok(isSpecType.Prompt(seen), JSON.stringify(seen));
      }),
      { numRuns: 1_000 },
    );
  });
});
