import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSpecType } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { sanitizeResource, sanitizeTemplate } from "./sanitize-resource.ts";

function definitionOf(resource: unknown): Record<string, unknown> {
  const result = sanitizeResource(JSON.stringify(resource));
  assert.ok("item" in result, "refused" in result ? result.refused : "");
  return JSON.parse(result.item.definition);
}

describe("sanitizeResource", () => {
  it("keeps known members and removes invisible characters (GW-17)", () => {
    const resource = {
      uri: "file:///a b/ü.txt",
      name: "Re\u202eadme",
      title: null,
      description: "d".repeat(9_000),
      mimeType: "text/plain",
      size: -1,
      annotations: { audience: ["user", "unknown"], priority: 0.5, lastModified: "yesterday" },
      icons: "none",
      other: 1,
    };
    assert.deepEqual(definitionOf(resource), {
      name: "Readme",
      description: "d".repeat(8 * 1024),
      mimeType: "text/plain",
      annotations: { priority: 0.5 },
    });
  });

  it("uses the URI as the name if there is none", () => {
    assert.deepEqual(definitionOf({ uri: "a://b" }), { name: "a://b" });
  });

  const refusals: [string, unknown, RegExp][] = [
    ["is not an object", [], /not an object/],
    ["has no URI", { name: "x" }, /URI/],
    ["has a URI with a line break", { uri: "a://b\nc" }, /URI/],
    ["has a URI that is too long", { uri: `a://${"b".repeat(2_048)}` }, /URI/],
    ["uses the reserved prefix (D37)", { uri: "mcp+other:a://b" }, /reserved/],
    ["is too large", { uri: "a://b", _meta: { pad: "x".repeat(300_000) } }, /too large/],
  ];
  for (const [which, resource, reason] of refusals) {
    it(`rejects a resource that ${which}`, () => {
      const result = sanitizeResource(JSON.stringify(resource));
      assert.match("refused" in result ? result.refused : "", reason);
    });
  }

  it("rejects a malformed template", () => {
    assert.ok("item" in sanitizeTemplate('{"uriTemplate":"a://{b}","name":"t"}'));
    for (const uriTemplate of ["a://{b", "mcp+x:a://{b}", 7]) {
      assert.ok("refused" in sanitizeTemplate(JSON.stringify({ uriTemplate, name: "t" })), String(uriTemplate));
    }
  });

  it("returns only resources that the official client accepts", () => {
    const any = fc.jsonValue({ maxDepth: 2 });
    const annotations = fc.record({ audience: any, priority: any, lastModified: fc.oneof(any, fc.date().map(String)) });
    const members = { name: any, title: any, description: any, mimeType: any, size: any, icons: any, _meta: any };
    const resource = fc.record({ ...members, annotations: fc.oneof(annotations, any) }, { requiredKeys: [] });
    fc.assert(
      fc.property(resource, (listed) => {
        const seen = { uri: "a://b", ...definitionOf({ ...listed, uri: "a://b" }) };
        assert.ok(isSpecType.Resource(seen), JSON.stringify(seen));
        const template = sanitizeTemplate(JSON.stringify({ ...listed, uriTemplate: "a://{b}" }));
        assert.ok("item" in template);
        const shown = { uriTemplate: "a://{b}", ...JSON.parse(template.item.definition) };
        assert.ok(isSpecType.ResourceTemplate(shown), JSON.stringify(shown));
      }),
      { numRuns: 1_000 },
    );
  });
});
