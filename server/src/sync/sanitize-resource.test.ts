import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSpecType } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { sanitizeResource, sanitizeTemplate } from "./sanitize-resource.ts";

function definitionOf(resource: unknown): Record<string, unknown> {
  const judged = sanitizeResource(JSON.stringify(resource));
  assert.ok("item" in judged, "refused" in judged ? judged.refused : "");
  return JSON.parse(judged.item.definition);
}

describe("a resource of an upstream", () => {
  it("keeps what clients understand, without what a person cannot see (GW-17)", () => {
    const resource = {
      uri: "file:///a b/ü.txt",
      name: "Re\u202eadme",
      title: null,
      description: "d".repeat(9_000),
      mimeType: "text/plain",
      size: -1,
      annotations: { audience: ["user", "nobody"], priority: 0.5, lastModified: "yesterday" },
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

  it("without a name is called by its address", () => {
    assert.deepEqual(definitionOf({ uri: "a://b" }), { name: "a://b" });
  });

  const refusals: [string, unknown, RegExp][] = [
    ["is no object", [], /not an object/],
    ["has no address", { name: "x" }, /address/],
    ["has an address with a line break", { uri: "a://b\nc" }, /address/],
    ["has an address that is too long", { uri: `a://${"b".repeat(2_048)}` }, /address/],
    ["poses as another server's (D37)", { uri: "mcp+other:a://b" }, /the gateway's/],
    ["is too large", { uri: "a://b", _meta: { pad: "x".repeat(300_000) } }, /too large/],
  ];
  for (const [words, resource, reason] of refusals) {
    it(`is left out when it ${words}`, () => {
      const judged = sanitizeResource(JSON.stringify(resource));
      assert.match("refused" in judged ? judged.refused : "", reason);
    });
  }

  it("that is a template is left out when nothing can match it", () => {
    assert.ok("item" in sanitizeTemplate('{"uriTemplate":"a://{b}","name":"t"}'));
    for (const uriTemplate of ["a://{b", "mcp+x:a://{b}", 7]) {
      assert.ok("refused" in sanitizeTemplate(JSON.stringify({ uriTemplate, name: "t" })), String(uriTemplate));
    }
  });

  it("whatever it is, is refused or accepted by the official client", () => {
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
