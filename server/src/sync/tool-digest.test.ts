import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sanitizeTool } from "./sanitize-tool.ts";

const TOOL = {
  name: "send",
  title: "Send",
  description: "Sends mail",
  inputSchema: { type: "object", properties: { to: { type: "string" }, n: { type: "integer" } }, required: ["to"] },
  outputSchema: { type: "object" },
  annotations: { readOnlyHint: false },
};

function digestOf(tool: object | string): string {
  const judged = sanitizeTool(typeof tool === "string" ? tool : JSON.stringify(tool), 4);
  assert.ok("tool" in judged);
  return judged.tool.digest;
}

describe("a tool's digest (GW-17)", () => {
  it("changes with everything that a model reads", () => {
    const changes = [
      { name: "sent" },
      { title: "Sent" },
      { description: "Sends mail, and a copy to us" },
      { inputSchema: { ...TOOL.inputSchema, required: ["to", "n"] } },
      { inputSchema: { ...TOOL.inputSchema, properties: { to: { type: "string" } } } },
      { outputSchema: undefined },
      { annotations: { readOnlyHint: true } },
    ];
    const digests = [TOOL, ...changes.map((change) => ({ ...TOOL, ...change }))].map(digestOf);
    assert.equal(new Set(digests).size, digests.length);
    for (const digest of digests) assert.match(digest, /^[0-9a-f]{64}$/);
  });

  it("does not depend on the order of members, on icons, or on _meta", () => {
    const { properties, ...schema } = TOOL.inputSchema;
    const turned = { properties: { n: properties.n, to: properties.to }, ...schema };
    const other = { _meta: { at: 1 }, icons: [{ src: "https://example.com/i.png" }], ...TOOL, inputSchema: turned };
    assert.equal(digestOf(other), digestOf(TOOL));
  });

  it("distinguishes numbers that a double cannot", () => {
    const withMaximum = (text: string) => `{"name":"n","inputSchema":{"type":"object","maxProperties":${text}}}`;
    assert.notEqual(digestOf(withMaximum("9223372036854775807")), digestOf(withMaximum("9223372036854775806")));
  });
});
