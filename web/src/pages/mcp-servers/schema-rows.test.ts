import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { schemaRows } from "./schema-rows.ts";

describe("schemaRows", () => {
  it("lists properties with type, required, description, values, and default", () => {
    const rows = schemaRows({
      type: "object",
      required: ["state"],
      properties: {
        state: { type: "string", enum: ["open", "closed"], default: "open", description: "Filter" },
        since: { type: ["string", "null"], format: "date" },
        any: {},
      },
    });
    assert.deepEqual(
      rows.map(({ name, type, isRequired, description, values, fallback }) => [
        name,
        type,
        isRequired,
        description,
        values.join(),
        fallback,
      ]),
      [
        ["state", "string", true, "Filter", '"open","closed"', '"open"'],
        ["since", "string (date) or null", false, undefined, "", undefined],
        ["any", "any", false, undefined, "", undefined],
      ],
    );
  });

  it("nests objects, items, alternatives, and local references, and stops at recursion", () => {
    const node = { type: "object", properties: { child: { $ref: "#/$defs/node" } } };
    const rows = schemaRows({
      $defs: { node },
      properties: {
        list: { type: "array", items: { type: "object", properties: { id: { type: "integer" } } } },
        either: { anyOf: [{ type: "string" }, { type: "object", properties: { x: { type: "number" } } }] },
        tree: { $ref: "#/$defs/node" },
      },
    });
    assert.deepEqual(
      rows.map(({ name, type, rows: nested }) => [name, type, nested.map((each) => each.name).join()]),
      [
        ["list", "array of object", "id"],
        ["either", "string or object", "x"],
        ["tree", "object", "child"],
      ],
    );
  });

  it("returns nothing for a schema without properties", () => {
    assert.deepEqual([schemaRows({ type: "object" }), schemaRows(null)], [[], []]);
  });
});
