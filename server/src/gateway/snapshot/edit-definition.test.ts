import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { editDefinition } from "./edit-definition.ts";

type Edits = Parameters<typeof editDefinition>[1];

function changes(fixed: string[], defaults: Record<string, unknown> = {}, hidden: string[] = []): Edits {
  return {
    argumentChanges: {
      fixed: new Map(fixed.map((name) => [name, { json: "1", toolkit: "kit" }])),
      defaults: new Map(Object.entries(defaults).map(([name, value]) => [name, JSON.stringify(value)])),
      hidden: new Set(hidden),
    },
  };
}

describe("the definition of a tool in a toolkit", () => {
  it("has the texts of the toolkit, and its title also in the annotations", () => {
    const shown = (definition: object, edits: Edits) => JSON.parse(editDefinition(JSON.stringify(definition), edits));
    assert.deepEqual(shown({}, { title: "T", description: "D" }), {
      title: "T",
      description: "D",
      annotations: { title: "T" },
    });
    const before = { title: "old", annotations: { title: "old", readOnlyHint: true }, description: "kept" };
    assert.deepEqual(shown(before, { title: "T" }), {
      ...before,
      title: "T",
      annotations: { ...before.annotations, title: "T" },
    });
    assert.deepEqual(shown({ annotations: {} }, { title: "T" }), { title: "T", annotations: { title: "T" } });
    assert.deepEqual(shown(before, { description: 'a "quote"' }), { ...before, description: 'a "quote"' });
  });

  it("keeps all other bytes", () => {
    const definition =
      '{ "inputSchema": {"type":"object", "required":["a", "b","c" ],"properties":{"a":{"maximum":9223372036854775807},"b" : true,"c":{"default":1,"x":"\\u00e4"}, "d":{"const":1.0}}},"x":1e400}';
    assert.equal(
      editDefinition(definition, changes(["a"], { b: [2], c: 3 }, ["d"])),
      '{ "inputSchema": {"type":"object", "required":[],"properties":{"b" : {"default":[2]},"c":{"default":3,"x":"\\u00e4"}}},"x":1e400}',
    );
    assert.equal(editDefinition(definition, {}), definition);
    assert.equal(editDefinition(definition, changes(["other"], { another: 1 }, ["third"])), definition);
  });

  it("accepts schemas of any shape", () => {
    for (const inputSchema of [undefined, true, {}, { properties: [] }, { properties: { a: 1 }, required: "a" }]) {
      const definition = JSON.stringify({ inputSchema });
      assert.equal(editDefinition(definition, changes([], { a: 1 })), definition);
    }
    const twice = '{"inputSchema":{"properties":{"a":{},"b":{},"a":{}}}}';
    assert.equal(editDefinition(twice, changes(["a"])), '{"inputSchema":{"properties":{"b":{}}}}');
  });

  it("has no property that is fixed or hidden, and requires none with a default", (t) => {
    const names = fc.subarray(["a", "b", "c", "d", 'quo"te', "__proto__"]);
    const property = fc.property(names, names, names, names, names, (given, required, fixed, defaulted, hidden) => {
      const properties = `{${given.map((name) => `${JSON.stringify(name)}:{"type":"string"}`).join(",")}}`;
      const definition = `{"inputSchema":{"required":${JSON.stringify(required)},"properties":${properties}}}`;
      const defaults = Object.fromEntries(defaulted.filter((name) => name !== "__proto__").map((name) => [name, name]));
      const { inputSchema } = JSON.parse(editDefinition(definition, changes(fixed, defaults, hidden)));
      const left = given.filter((name) => !fixed.includes(name) && !hidden.includes(name));
      assert.deepEqual(Object.keys(inputSchema.properties), left);
      const optional = [...fixed, ...hidden, ...Object.keys(defaults)];
      assert.deepEqual(
        inputSchema.required,
        required.filter((name) => !optional.includes(name)),
      );
      for (const name of Object.keys(defaults))
        if (left.includes(name)) assert.equal(inputSchema.properties[name].default, name);
    });
    fc.assert(property, { seed: seedFor(t) });
  });
});
