import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSpecType } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { sanitizeTool, toolSlug } from "./sanitize-tool.ts";

const PREFIX = "srv__";
const OBJECT = { type: "object" };
const COMBINATORS = Object.fromEntries(
  ["anyOf", "oneOf", "allOf", "not", "if", "then", "else"].map((key) => [key, {}]),
);

function sanitize(tool: unknown) {
  return sanitizeTool(typeof tool === "string" ? tool : JSON.stringify(tool), PREFIX.length - 2);
}

/** The definition as a client gets it. */
function definitionOf(tool: unknown): Record<string, unknown> {
  const judged = sanitize(tool);
  assert.ok("tool" in judged, "refused" in judged ? judged.refused : "");
  return JSON.parse(judged.tool.definition);
}

const nested = (depth: number): object => (depth === 1 ? {} : { properties: nested(depth - 1) });

describe("a tool's input schema", () => {
  const schemas: [string, unknown, object][] = [
    ["that is missing becomes an object's", undefined, OBJECT],
    ["that is null becomes an object's", null, OBJECT],
    ["without a type gets one", { properties: { a: {} } }, { properties: { a: {} }, type: "object" }],
    [
      "with combinators at its root loses them and keeps the rest",
      { ...OBJECT, ...COMBINATORS, properties: { a: {} } },
      { ...OBJECT, properties: { a: {} } },
    ],
    [
      "with alternatives at its root keeps what they name, and of two descriptions both",
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
      "with parts at its root keeps what they name and ask for, and its own words before theirs",
      {
        properties: { a: { type: "string" } },
        required: ["a"],
        allOf: [{ properties: { a: {}, b: {} }, required: ["b", "a"] }, true, { required: null }],
      },
      { ...OBJECT, properties: { a: { type: "string" }, b: {} }, required: ["a", "b"] },
    ],
    [
      "keeps combinators further in",
      { ...OBJECT, properties: { a: { anyOf: [{}] } } },
      { ...OBJECT, properties: { a: { anyOf: [{}] } } },
    ],
    ["with required: null loses that", { ...OBJECT, required: null }, OBJECT],
    ["with required names that are no names loses them", { ...OBJECT, required: ["a", 1] }, OBJECT],
    ["with properties: null loses that", { ...OBJECT, properties: null }, OBJECT],
    [
      "with properties that are no objects keeps what they mean",
      { ...OBJECT, properties: { any: true, none: false, odd: "x", good: { type: "string" } } },
      { ...OBJECT, properties: { any: {}, none: { not: {} }, good: { type: "string" } } },
    ],
    [
      "keeps what it need not know",
      { ...OBJECT, $defs: { x: {} }, "x-own": 1 },
      { ...OBJECT, $defs: { x: {} }, "x-own": 1 },
    ],
    ["64 deep is kept", { ...OBJECT, ...nested(64) }, { ...OBJECT, ...nested(64) }],
  ];
  for (const [promise, inputSchema, expected] of schemas) {
    it(promise, () => assert.deepEqual(definitionOf({ name: "a", inputSchema }).inputSchema, expected));
  }

  it("keeps numbers as they were written, 64-bit ones too", () => {
    const text = '{"type":"object","properties":{"n":{"maximum":9223372036854775807,"minimum":-0,"multipleOf":1.0}}}';
    const judged = sanitize(`{"name":"a","inputSchema":${text}}`);
    assert.ok("tool" in judged && judged.tool.definition.includes(text.slice(1, -1).replace('"type":"object",', "")));
  });

  it("keeps a property called __proto__ a property", () => {
    const definition = definitionOf('{"name":"a","inputSchema":{"properties":{"__proto__":{"x":1}}}}');
    assert.equal(JSON.stringify(definition.inputSchema), '{"properties":{"__proto__":{"x":1}},"type":"object"}');
    assert.equal(Reflect.get({}, "x"), undefined);
  });
});

describe("what else a definition holds", () => {
  const members: [string, object, object][] = [
    ["a description that is missing is empty", {}, { description: "" }],
    ["a description that is null is empty", { description: null }, { description: "" }],
    ["a title stays", { title: "T" }, { title: "T" }],
    ["a title that is no text goes", { title: 1 }, { title: undefined }],
    ["an output schema stays", { outputSchema: { ...OBJECT, a: 1 } }, { outputSchema: { ...OBJECT, a: 1 } }],
    ["an output schema of an array goes", { outputSchema: { type: "array" } }, { outputSchema: undefined }],
    ["an output schema without a type goes", { outputSchema: {} }, { outputSchema: undefined }],
    ["an output schema that is no object goes", { outputSchema: "x" }, { outputSchema: undefined }],
    [
      "an output schema with required: null goes",
      { outputSchema: { ...OBJECT, required: null } },
      { outputSchema: undefined },
    ],
    ["an output schema too deep goes", { outputSchema: { ...OBJECT, ...nested(65) } }, { outputSchema: undefined }],
    [
      "annotations keep what is of the right kind",
      { annotations: { title: 1, readOnlyHint: true, destructiveHint: "no", own: 1 } },
      { annotations: { readOnlyHint: true, own: 1 } },
    ],
    ["annotations that are no object go", { annotations: [] }, { annotations: undefined }],
    ["an unknown way of execution goes", { execution: { taskSupport: "perhaps" } }, { execution: undefined }],
    [
      "icons with an odd address go",
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
    ["_meta stays", { _meta: { a: [1] } }, { _meta: { a: [1] } }],
    ["members that nobody knows go", { code: "x", name: "a" }, { code: undefined, name: undefined }],
  ];
  for (const [promise, given, expected] of members) {
    it(promise, () => {
      const definition = definitionOf({ name: "a", ...given });
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(definition[key], value);
    });
  }

  it("a number where an object belongs is no object, however it is written", () => {
    const judged = sanitize('{"name":"a","inputSchema":1.0}');
    assert.deepEqual(judged, { refused: "its inputSchema is not an object" });
    const definition = definitionOf('{"name":"a","annotations":1.0,"_meta":1e3,"outputSchema":-0,"execution":1.0}');
    assert.deepEqual(definition, { description: "", inputSchema: OBJECT });
  });

  it("the title that people see is the tool's, else its annotations', else its name", () => {
    const titleOf = (tool: object) => {
      const judged = sanitize({ name: "a", ...tool });
      return "tool" in judged && judged.tool.title;
    };
    assert.equal(titleOf({ title: "T", annotations: { title: "A" } }), "T");
    assert.equal(titleOf({ title: "", annotations: { title: "A" } }), "A");
    assert.equal(titleOf({ annotations: { title: "" } }), "a");
  });

  it("nothing unseen is left in title and description, and they are cut at whole characters (GW-17)", () => {
    const hidden = "a\u0000b\u202ec\u{e0041}d\u2066e\nf";
    const judged = sanitize({ name: "a", title: hidden, description: `${"x".repeat(8191)}😀` });
    assert.ok("tool" in judged);
    assert.equal(judged.tool.title, "abcde\nf");
    assert.equal(judged.tool.description, "x".repeat(8191));
    assert.equal(JSON.parse(judged.tool.definition).title, "abcde\nf");
  });
});

describe("a tool is left out", () => {
  const tools: [string, unknown, string][] = [
    ["that is no object", [], "its definition is not an object"],
    ["that is no JSON", "{", "its definition is not an object"],
    ["without a name", {}, "its name is missing, too long or holds control characters"],
    ["with an empty name", { name: "" }, "its name is missing, too long or holds control characters"],
    ["with a number as name", { name: 1 }, "its name is missing, too long or holds control characters"],
    [
      "with a name of 257 characters",
      { name: "a".repeat(257) },
      "its name is missing, too long or holds control characters",
    ],
    ["with a line end in its name", { name: "a\nb" }, "its name is missing, too long or holds control characters"],
    [
      "with a bidi override in its name",
      { name: "a\u202eb" },
      "its name is missing, too long or holds control characters",
    ],
    [
      "with half a character in its name",
      '{"name":"\\ud800"}',
      "its name is missing, too long or holds control characters",
    ],
    ["whose inputSchema is a list", { name: "a", inputSchema: [] }, "its inputSchema is not an object"],
    ["whose inputSchema is true", { name: "a", inputSchema: true }, "its inputSchema is not an object"],
    [
      "whose input is no object",
      { name: "a", inputSchema: { type: "string" } },
      'its inputSchema is not of type "object"',
    ],
    [
      "whose input is of two types",
      { name: "a", inputSchema: { type: ["object"] } },
      'its inputSchema is not of type "object"',
    ],
    ["whose inputSchema is too deep", { name: "a", inputSchema: nested(65) }, "its inputSchema is too deep"],
    ["that is too large", { name: "a", _meta: { x: "x".repeat(256 * 1024) } }, "its definition is too large"],
  ];
  for (const [which, tool, refused] of tools) it(which, () => assert.deepEqual(sanitize(tool), { refused }));

  const property = (...headers: unknown[]) => ({
    properties: Object.fromEntries(headers.map((header, i) => [`p${i}`, { type: "string", "x-mcp-header": header }])),
  });
  const inner = { type: "string", "x-mcp-header": "Region" };
  for (const [which, inputSchema, valid] of [
    ["a token", property("Region", "Zone"), true],
    ["a property further in", { properties: { a: { properties: { b: inner } } } }, true],
    ["a property that is only called so", { properties: { "x-mcp-header": { type: "string" } } }, true],
    ["an empty name", property(""), false],
    ["a name with a space", property("My Header"), false],
    ["a name with a line end", property("a\r\nb"), false],
    ["no text", property(1), false],
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

describe("names at the gateway (D28)", () => {
  const room = 64 - PREFIX.length;
  for (const [what, name] of [
    ["a legal name", "get_issue.v2-x"],
    ["a name with __", "a__b"],
    ["the longest name that fits", "x".repeat(room)],
  ] as const) {
    it(`${what} stays`, () => assert.equal(toolSlug(name, PREFIX.length - 2), name));
  }

  it("a name that is too long or illegal gets a short form that is always the same", () => {
    assert.match(toolSlug("x".repeat(room + 1), PREFIX.length - 2), /^x{50}-[0-9a-f]{8}$/);
    assert.equal(toolSlug("list issues / all", 3), toolSlug("list issues / all", 3));
    assert.match(toolSlug("list issues / all", 3), /^list-issues-all-[0-9a-f]{8}$/);
    assert.match(toolSlug("搜索", 3), /^[0-9a-f]{8}$/);
  });

  it("is within 64 characters and legal for any name of any server, and different for different names", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 256 });
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1, max: 40 }), (a, b, slugLength) => {
        for (const each of [a, b]) {
          assert.match(toolSlug(each, slugLength), /^[A-Za-z0-9_.-]+$/);
          assert.ok(slugLength + 2 + toolSlug(each, slugLength).length <= 64);
        }
        if (a !== b) assert.notEqual(toolSlug(a, slugLength), toolSlug(b, slugLength));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("whatever an upstream lists", () => {
  it("is refused, or is a tool that the official client accepts", () => {
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
        const judged = sanitize(listed);
        if ("refused" in judged) return;
        const seen = { name: "x", ...JSON.parse(judged.tool.definition) };
        assert.ok(isSpecType.Tool(seen), JSON.stringify(seen));
      }),
      { numRuns: 2_000 },
    );
  });
});
