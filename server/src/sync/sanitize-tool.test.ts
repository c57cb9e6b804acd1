import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSpecType } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { sanitizeTool, toolSlug } from "./sanitize-tool.ts";

const PREFIX = "srv__";
const OBJECT = { type: "object" };
const BAD_NAME = "its name is missing, too long, or contains control characters";
const COMBINATORS = Object.fromEntries(["anyOf", "oneOf", "allOf", "not", "enum"].map((key) => [key, {}]));
const CONDITIONS = Object.fromEntries(["if", "then", "else"].map((key) => [key, { required: [key] }]));

function sanitize(tool: unknown) {
  return sanitizeTool(typeof tool === "string" ? tool : JSON.stringify(tool), PREFIX.length - 2);
}

/** The definition as a client gets it. */
function definitionOf(tool: unknown): Record<string, unknown> {
  const result = sanitize(tool);
  assert.ok("tool" in result, "refused" in result ? result.refused : "");
  return JSON.parse(result.tool.definition);
}

const nested = (depth: number): object => (depth === 1 ? {} : { properties: nested(depth - 1) });

describe("the input schema of a tool", () => {
  const schemas: [string, unknown, object][] = [
    ["becomes an object schema if missing", undefined, OBJECT],
    ["becomes an object schema if null", null, OBJECT],
    ["gets the type object if it has none", { properties: { a: {} } }, { properties: { a: {} }, type: "object" }],
    [
      "loses combinators at the root and keeps the rest",
      { ...OBJECT, ...COMBINATORS, properties: { a: {} } },
      { ...OBJECT, properties: { a: {} } },
    ],
    [
      "keeps properties of oneOf branches at the root, and combines different definitions",
      {
        oneOf: [
          { properties: { action: { const: "list" }, page: { type: "integer" } }, required: ["action"] },
          { properties: { action: { const: "add" }, name: { type: "string" }, page: { type: "integer" } } },
          { $ref: "#/$defs/x" },
        ],
      },
      {
        ...OBJECT,
        properties: {
          action: { anyOf: [{ const: "list" }, { const: "add" }] },
          page: { type: "integer" },
          name: { type: "string" },
        },
      },
    ],
    [
      "keeps properties and required names of allOf branches at the root, after its own",
      {
        properties: { a: { type: "string" } },
        required: ["a"],
        allOf: [{ properties: { a: {}, b: {} }, required: ["b", "a"] }, true, { required: null }],
      },
      { ...OBJECT, properties: { a: { type: "string" }, b: {} }, required: ["a", "b"] },
    ],
    ["keeps conditions", { ...OBJECT, ...CONDITIONS }, { ...OBJECT, ...CONDITIONS }],
    [
      "keeps nested combinators",
      { ...OBJECT, properties: { a: { anyOf: [{}] } } },
      { ...OBJECT, properties: { a: { anyOf: [{}] } } },
    ],
    ["loses required: null", { ...OBJECT, required: null }, OBJECT],
    ["loses required if a name is not a string", { ...OBJECT, required: ["a", 1] }, OBJECT],
    ["loses properties: null", { ...OBJECT, properties: null }, OBJECT],
    [
      "replaces boolean properties by equivalent objects",
      { ...OBJECT, properties: { any: true, none: false, odd: "x", good: { type: "string" } } },
      { ...OBJECT, properties: { any: {}, none: { not: {} }, good: { type: "string" } } },
    ],
    [
      "keeps unknown keywords",
      { ...OBJECT, $defs: { x: {} }, "x-own": 1 },
      { ...OBJECT, $defs: { x: {} }, "x-own": 1 },
    ],
    ["is kept at a depth of 64", { ...OBJECT, ...nested(64) }, { ...OBJECT, ...nested(64) }],
  ];
  for (const [promise, inputSchema, expected] of schemas) {
    it(promise, () => assert.deepEqual(definitionOf({ name: "a", inputSchema }).inputSchema, expected));
  }

  it("keeps numbers exactly, including 64-bit integers", () => {
    const text = '{"type":"object","properties":{"n":{"maximum":9223372036854775807,"minimum":-0,"multipleOf":1.0}}}';
    const result = sanitize(`{"name":"a","inputSchema":${text}}`);
    assert.ok("tool" in result && result.tool.definition.includes(text.slice(1, -1).replace('"type":"object",', "")));
  });

  it("keeps a property named __proto__", () => {
    const definition = definitionOf('{"name":"a","inputSchema":{"properties":{"__proto__":{"x":1}}}}');
    assert.equal(JSON.stringify(definition.inputSchema), '{"properties":{"__proto__":{"x":1}},"type":"object"}');
    assert.equal(Reflect.get({}, "x"), undefined);
  });
});

describe("other members of a definition", () => {
  const members: [string, object, object][] = [
    ["has an empty description if missing", {}, { description: "" }],
    ["has an empty description if null", { description: null }, { description: "" }],
    ["keeps a title", { title: "T" }, { title: "T" }],
    ["drops a title that is not a string", { title: 1 }, { title: undefined }],
    ["keeps an output schema", { outputSchema: { ...OBJECT, a: 1 } }, { outputSchema: { ...OBJECT, a: 1 } }],
    ["drops an output schema of an array", { outputSchema: { type: "array" } }, { outputSchema: undefined }],
    ["drops an output schema without a type", { outputSchema: {} }, { outputSchema: undefined }],
    ["drops an output schema that is not an object", { outputSchema: "x" }, { outputSchema: undefined }],
    [
      "drops an output schema with required: null",
      { outputSchema: { ...OBJECT, required: null } },
      { outputSchema: undefined },
    ],
    [
      "drops an output schema that is nested too deeply",
      { outputSchema: { ...OBJECT, ...nested(65) } },
      { outputSchema: undefined },
    ],
    [
      "keeps annotations of the right type",
      { annotations: { title: 1, readOnlyHint: true, destructiveHint: "no", own: 1 } },
      { annotations: { readOnlyHint: true, own: 1 } },
    ],
    ["drops annotations that are not an object", { annotations: [] }, { annotations: undefined }],
    ["drops an unknown taskSupport", { execution: { taskSupport: "perhaps" } }, { execution: undefined }],
    [
      "drops icons without a web or data URL",
      {
        icons: [
          { src: "javascript:alert(1)" },
          { src: "https://x/i.png" },
          { src: 1 },
          null,
          { src: "data:image/png,x" },
        ],
      },
      { icons: [{ src: "https://x/i.png" }, { src: "data:image/png,x" }] },
    ],
    ["keeps _meta", { _meta: { a: [1] } }, { _meta: { a: [1] } }],
    ["drops unknown members", { code: "x", name: "a" }, { code: undefined, name: undefined }],
  ];
  for (const [promise, given, expected] of members) {
    it(promise, () => {
      const definition = definitionOf({ name: "a", ...given });
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(definition[key], value);
    });
  }

  it("rejects numbers in place of objects in every notation", () => {
    const result = sanitize('{"name":"a","inputSchema":1.0}');
    assert.deepEqual(result, { refused: "its inputSchema is not an object" });
    const definition = definitionOf('{"name":"a","annotations":1.0,"_meta":1e3,"outputSchema":-0,"execution":1.0}');
    assert.deepEqual(definition, { description: "", inputSchema: OBJECT });
  });

  it("uses the tool's title, else the title of its annotations, else its name", () => {
    const titleOf = (tool: object) => {
      const result = sanitize({ name: "a", ...tool });
      return "tool" in result && result.tool.title;
    };
    assert.equal(titleOf({ title: "T", annotations: { title: "A" } }), "T");
    assert.equal(titleOf({ title: "", annotations: { title: "A" } }), "A");
    assert.equal(titleOf({ annotations: { title: "" } }), "a");
  });

  it("removes invisible characters from title and description and truncates at character boundaries (GW-17)", () => {
    const hidden = "a\u0000b\u202ec\u{e0041}d\u2066e\nf";
    const result = sanitize({ name: "a", title: hidden, description: `${"x".repeat(8191)}😀` });
    assert.ok("tool" in result);
    assert.equal(result.tool.title, "abcde\nf");
    assert.equal(result.tool.description, "x".repeat(8191));
    assert.equal(JSON.parse(result.tool.definition).title, "abcde\nf");
  });
});

describe("sanitizeTool rejects a tool", () => {
  const tools: [string, unknown, string][] = [
    ["that is not an object", [], "its definition is not an object"],
    ["that is not JSON", "{", "its definition is not an object"],
    ["without a name", {}, BAD_NAME],
    ["with an empty name", { name: "" }, BAD_NAME],
    ["with a number as name", { name: 1 }, BAD_NAME],
    ["with a name of 257 characters", { name: "a".repeat(257) }, BAD_NAME],
    ["with a line end in its name", { name: "a\nb" }, BAD_NAME],
    ["with a bidi override in its name", { name: "a\u202eb" }, BAD_NAME],
    ["with half a character in its name", '{"name":"\\ud800"}', BAD_NAME],
    ["whose inputSchema is a list", { name: "a", inputSchema: [] }, "its inputSchema is not an object"],
    ["whose inputSchema is true", { name: "a", inputSchema: true }, "its inputSchema is not an object"],
    [
      "whose input is not an object",
      { name: "a", inputSchema: { type: "string" } },
      'its inputSchema is not of type "object"',
    ],
    [
      "whose input is of two types",
      { name: "a", inputSchema: { type: ["object"] } },
      'its inputSchema is not of type "object"',
    ],
    [
      "whose inputSchema is nested too deeply",
      { name: "a", inputSchema: nested(65) },
      "its inputSchema is nested too deeply",
    ],
    ["that is too large", { name: "a", _meta: { x: "x".repeat(256 * 1024) } }, "its definition is too large"],
  ];
  for (const [which, tool, refused] of tools) it(which, () => assert.deepEqual(sanitize(tool), { refused }));

  const property = (...headers: unknown[]) => ({
    properties: Object.fromEntries(headers.map((header, i) => [`p${i}`, { type: "string", "x-mcp-header": header }])),
  });
  const inner = { type: "string", "x-mcp-header": "Region" };
  for (const [which, inputSchema, valid] of [
    ["a token", property("Region", "Zone"), true],
    ["a nested property", { properties: { a: { properties: { b: inner } } } }, true],
    ["a property named x-mcp-header", { properties: { "x-mcp-header": { type: "string" } } }, true],
    ["an empty name", property(""), false],
    ["a name with a space", property("My Header"), false],
    ["a name with a line end", property("a\r\nb"), false],
    ["a name that is not a string", property(1), false],
    ["the same name twice", property("Region", "rEGION"), false],
    ["a number", { properties: { a: { type: "number", "x-mcp-header": "A" } } }, false],
    ["an object", { properties: { a: { type: "object", "x-mcp-header": "A" } } }, false],
    ["the root", { "x-mcp-header": "A" }, false],
    ["the items of a list", { properties: { a: { type: "array", items: inner } } }, false],
    ["one branch of several", { properties: { a: { anyOf: [{}, inner] } } }, false],
    ["a definition", { $defs: { a: inner } }, false],
    ["a branch of the root", { anyOf: [{ properties: { a: inner } }] }, false],
  ] as const) {
    it(`${valid ? "not " : ""}for x-mcp-header on ${which}`, () => {
      assert.deepEqual("tool" in sanitize({ name: "a", inputSchema }), valid);
    });
  }
});

describe("toolSlug (D28)", () => {
  const room = 64 - PREFIX.length;
  for (const [what, name] of [
    ["a valid name", "get_issue-v2_x"],
    ["a name with __", "a__b"],
    ["the longest name that fits", "x".repeat(room)],
  ] as const) {
    it(`keeps ${what}`, () => assert.equal(toolSlug(name, PREFIX.length - 2), name));
  }

  it("returns a stable short form for names that are too long or invalid", () => {
    assert.match(toolSlug("x".repeat(room + 1), PREFIX.length - 2), /^x{50}-[0-9a-f]{8}$/);
    assert.equal(toolSlug("list issues / all", 3), toolSlug("list issues / all", 3));
    assert.match(toolSlug("list issues / all", 3), /^list-issues-all-[0-9a-f]{8}$/);
    assert.match(toolSlug("搜索", 3), /^[0-9a-f]{8}$/);
    // Model APIs of several vendors reject dots.
    assert.match(toolSlug("issues.list", 3), /^issues-list-[0-9a-f]{8}$/);
  });

  it("returns unique, valid names of at most 64 characters for all tools and servers", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 256 });
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 40 }), (a, b, slugLength) => {
        for (const each of [a, b]) {
          assert.match(toolSlug(each, slugLength), /^[A-Za-z0-9_-]+$/);
          assert.ok(slugLength + 2 + toolSlug(each, slugLength).length <= 64);
        }
        if (a !== b) assert.notEqual(toolSlug(a, slugLength), toolSlug(b, slugLength));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("sanitizeTool with random input", () => {
  it("returns only tools that the official client accepts", () => {
    const any = fc.jsonValue({ maxDepth: 3 });
    const sometimes = <Value>(value: fc.Arbitrary<Value>) =>
      fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: any });
    const schema = fc.record(
      {
        type: sometimes(fc.constant("object")),
        properties: sometimes(fc.dictionary(fc.string(), sometimes(fc.record({ type: fc.constant("string") })))),
        required: sometimes(fc.array(sometimes(fc.string()))),
        $schema: any,
        anyOf: any,
      },
      { requiredKeys: [] },
    );
    const tool = fc.record(
      {
        name: fc.constantFrom("a", "b c"),
        title: any,
        description: any,
        inputSchema: sometimes(schema),
        outputSchema: sometimes(schema),
        annotations: sometimes(fc.record({ title: any, readOnlyHint: any, openWorldHint: sometimes(fc.boolean()) })),
        execution: sometimes(fc.record({ taskSupport: any })),
        icons: sometimes(fc.array(sometimes(fc.record({ src: sometimes(fc.webUrl()), sizes: any, theme: any })))),
        _meta: any,
      },
      { requiredKeys: ["name"] },
    );
    fc.assert(
      fc.property(tool, (listed) => {
        const result = sanitize(listed);
        if ("refused" in result) return;
        const seen = { name: "x", ...JSON.parse(result.tool.definition) };
        assert.ok(isSpecType.Tool(seen), JSON.stringify(seen));
      }),
      { numRuns: 2_000 },
    );
  });
});
