import assert from "node:assert/strict";
import { it } from "node:test";
import type { ApiDocument, Schema } from "./openapi-types.ts";
import { undescribed } from "./openapi-words.ts";

const json = (schema: Schema) => ({ content: { "application/json": { schema } } });
const silent = { type: "string" };
const told = { type: "string", description: "Told" };

function documentWith(schema: Schema, parameter: { description?: string } = {}): ApiDocument {
  const operation = {
    operationId: "op",
    summary: "Op",
    parameters: [{ name: "limit", in: "query", required: false, schema: {}, ...parameter }],
    requestBody: json(schema),
    responses: { 200: json({ type: "object", properties: { data: { type: "object", properties: { a: silent } } } }) },
  };
  return { tags: [{ name: "T" }], paths: { "/p": { get: operation } }, components: { schemas: { S: schema } } };
}

it("reports every tag, parameter, and field without a description, at every depth", () => {
  const deep = { type: "array", description: "Told", items: { anyOf: [{ properties: { b: silent, c: told } }] } };
  assert.deepEqual(undescribed(documentWith({ properties: { deep, a: silent } })), [
    "tag T",
    "S.deep.b",
    "S.a",
    "op limit",
    "op body.deep.b",
    "op body.a",
    "op 200.data.a",
  ]);
});

it("does not require a description next to a reference to a described schema", () => {
  const document = documentWith({ properties: { a: told, b: { $ref: "#/components/schemas/S" } } }, told);
  assert.deepEqual(undescribed(document), ["tag T", "op 200.data.a"]);
});
