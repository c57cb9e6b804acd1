import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Schema, typeOf, typesOf } from "./openapi-types.ts";

const SCHEMAS: [schema: Schema, type: string][] = [
  [{}, "unknown"],
  [{ type: "integer" }, "number"],
  [{ type: "string", nullable: true }, "string | null"],
  [{ type: "string", enum: ["a", 'b"'] }, '"a" | "b\\""'],
  [{ type: "string", nullable: true, enum: ["a", null] }, '"a" | null'],
  [{ $ref: "#/components/schemas/User" }, 'Schemas["User"]'],
  [{ allOf: [{ $ref: "#/components/schemas/User" }], nullable: true }, 'Schemas["User"] | null'],
  [{ allOf: [{ type: "string", nullable: true }, {}] }, "(string | null) & (unknown)"],
  [{ oneOf: [{ type: "string" }, { type: "integer" }, { type: "number" }] }, "string | number"],
  [{ type: "array", items: { type: "string", nullable: true } }, "ReadonlyArray<string | null>"],
  [{ type: "object" }, "Readonly<Record<string, unknown>>"],
  [{ type: "object", additionalProperties: { type: "boolean" } }, "Readonly<Record<string, boolean>>"],
  [{ not: {} }, "never"],
];

describe("a schema of the document as a type", () => {
  for (const [schema, type] of SCHEMAS) {
    it(`${JSON.stringify(schema)} is ${type}`, () => assert.equal(typeOf(schema), type));
  }

  it("allows optional members to be omitted or undefined, and quotes unusual names", () => {
    const schema = { type: "object", required: ["a"], properties: { a: {}, "b-c": { type: "string" } } };
    assert.equal(typeOf(schema), '{\n  readonly a: unknown;\n  readonly "b-c"?: string | undefined;\n}');
  });

  it("escapes the end of a comment in a description", () => {
    const schema = { type: "object", properties: { a: { description: "*/ import 'x' /*\nnext", deprecated: true } } };
    assert.match(typeOf(schema), /^ {2}\/\*\* \*\\\/ import 'x' \/\* next @deprecated \*\/$/m);
  });

  it("rejects a type that OpenAPI 3.0 does not have", () => {
    assert.throws(() => typeOf({ type: "null" }), /no type "null"/);
  });
});

it("returns undefined without a JSON response, and has an empty request without parameters", () => {
  const operation = { operationId: "ping", summary: "Ping", parameters: [], responses: { 204: {}, 401: {} } };
  const types = typesOf({ tags: [], paths: { "/api/ping": { post: operation } }, components: { schemas: {} } });
  assert.match(types, /readonly request: Readonly<Record<never, never>>;\n\s+readonly answer: undefined;/);
  assert.match(types, /ping: "POST \/api\/ping",/);
});
