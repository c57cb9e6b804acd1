import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { faultsOf, withoutPatterns } from "./check.ts";

const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string", minLength: 3 },
    links: { type: "array", items: { type: "object", properties: { url: { type: "string" } }, required: ["url"] } },
    who: { anyOf: [{ type: "string" }, { type: "object", properties: { id: { type: "integer" } } }] },
  },
  required: ["title"],
};

describe("what a schema says against arguments", () => {
  it("is told once for each fault, at the field that is at fault", () => {
    const faults = faultsOf(SCHEMA, { links: [{ url: "a" }, {}], who: 7 });
    assert.deepEqual(
      faults?.map(({ path, message }) => [path, message]),
      [
        ["/title", "Is required"],
        ["/links/1/url", "Is required"],
        ["/who", "Is none of what is allowed here"],
      ],
    );
    assert.deepEqual(faultsOf(SCHEMA, { title: "abc" }), []);
    assert.equal(faultsOf(SCHEMA, { title: "a" })?.[0]?.path, "/title");
  });

  it("is nothing when the schema itself cannot be used", () => {
    assert.equal(faultsOf({ $ref: "#/$defs/nowhere" }, {}), undefined);
    assert.equal(faultsOf(undefined, {}), undefined);
  });

  it("has no patterns where both sides come from a server", () => {
    const hostile = { type: "object", properties: { pattern: { type: "string", pattern: "^(a+)+$" } } };
    assert.deepEqual(withoutPatterns(hostile), { type: "object", properties: { pattern: { type: "string" } } });
  });
});
