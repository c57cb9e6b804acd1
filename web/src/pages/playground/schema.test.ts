import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Field, readSchema, startValue, variantOf } from "./schema.ts";

function members(schema: object): Record<string, Field> {
  const field = readSchema(schema);
  assert.equal(field.kind, "object");
  return field.kind === "object" ? Object.fromEntries(field.members.map((each) => [each.name, each.field])) : {};
}

describe("a form from a schema", () => {
  it("supports text, numbers, enums, arrays, objects, and references", () => {
    const { title, count, state, labels, owner, body } = members({
      type: "object",
      properties: {
        title: { type: "string", description: "One line" },
        count: { type: "integer" },
        state: { enum: ["open", "closed"] },
        labels: { type: "array", items: { type: "string" } },
        owner: { $ref: "#/$defs/owner", description: "Who does it" },
        body: { type: "string", maxLength: 4000 },
      },
      $defs: { owner: { type: "object", properties: { email: { type: "string", format: "email" } } } },
    });
    assert.deepEqual([title?.kind, title?.description], ["text", "One line"]);
    assert.ok(count?.kind === "number" && count.isInteger);
    assert.ok(state?.kind === "choice" && state.options.length === 2);
    assert.ok(labels?.kind === "list" && labels.item.kind === "text");
    assert.ok(owner?.kind === "object" && owner.description === "Who does it");
    assert.ok(body?.kind === "text" && body.isLong);
  });

  it("recognizes every notation of nullable types", () => {
    const read = members({
      properties: {
        a: { type: ["string", "null"] },
        b: { anyOf: [{ type: "integer" }, { type: "null" }] },
        c: { enum: ["x", null] },
        d: { type: "string" },
      },
    });
    const kinds = Object.values(read).map(({ kind, isNullable }) => `${kind} ${isNullable}`);
    assert.deepEqual(kinds, ["text true", "number true", "choice true", "text false"]);
  });

  it("labels variants by their discriminator and finds the variant of a value", () => {
    const variant = (type: string, name: string) => ({
      type: "object",
      properties: { type: { const: type }, [name]: { type: "string" } },
      required: ["type", name],
    });
    const { who } = members({ properties: { who: { oneOf: [variant("person", "email"), variant("team", "team")] } } });
    assert.ok(who?.kind === "variants");
    assert.deepEqual(
      who.variants.map(({ label }) => label),
      ["person", "team"],
    );
    assert.equal(variantOf(who.variants, { type: "team", team: "a" }), 1);
    assert.deepEqual(who.variants[1] && startValue(who.variants[1].field, true), { type: "team" });
  });

  it("falls back to JSON for recursive, unresolvable, and untyped schemas", () => {
    const read = members({
      properties: {
        tree: { $ref: "#/$defs/tree" },
        lost: { $ref: "#/$defs/nowhere" },
        any: {},
        map: { type: "object", additionalProperties: { type: "string" } },
        two: { type: ["string", "number"] },
        loop: { $ref: "#/properties/loop" },
      },
      $defs: { tree: { type: "object", properties: { child: { $ref: "#/$defs/tree" } } } },
    });
    assert.equal(read.tree?.kind, "object");
    for (const name of ["lost", "any", "map", "two", "loop"]) assert.equal(read[name]?.kind, "json", name);
    assert.doesNotThrow(() => readSchema("nonsense"));
  });

  it("starts with the schema's defaults only", () => {
    const field = readSchema({
      properties: {
        limit: { type: "integer", default: 20 },
        q: { type: "string" },
        page: { type: "object", properties: { size: { type: "integer", default: 5 }, at: { type: "integer" } } },
        rest: { type: "object", properties: { x: { type: "string" } } },
      },
      required: ["q"],
    });
    assert.deepEqual(startValue(field, true), { limit: 20, page: { size: 5 } });
  });
});
