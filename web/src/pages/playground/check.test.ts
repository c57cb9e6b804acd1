import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { problemsOf, withoutPatterns } from "./check.ts";

const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string", minLength: 3 },
    links: { type: "array", items: { type: "object", properties: { url: { type: "string" } }, required: ["url"] } },
    who: { anyOf: [{ type: "string" }, { type: "object", properties: { id: { type: "integer" } } }] },
  },
  required: ["title"],
};

describe("schema validation of arguments", () => {
  it("reports each problem once, at its field", () => {
    const problems = problemsOf(SCHEMA, { links: [{ url: "a" }, {}], who: 7 });
    assert.deepEqual(
      problems?.map(({ path, message }) => [path, message]),
      [
        ["/title", "Required"],
        ["/links/1/url", "Required"],
        ["/who", "Matches none of the allowed types"],
      ],
    );
    assert.deepEqual(problemsOf(SCHEMA, { title: "abc" }), []);
    assert.equal(problemsOf(SCHEMA, { title: "a" })?.[0]?.path, "/title");
  });

  it("returns undefined for an unusable schema", () => {
    assert.equal(problemsOf({ $ref: "#/$defs/nowhere" }, {}), undefined);
    assert.equal(problemsOf(undefined, {}), undefined);
  });

  it("removes patterns when both pattern and value come from a server", () => {
    const hostile = { type: "object", properties: { pattern: { type: "string", pattern: "^(a+)+$" } } };
    assert.deepEqual(withoutPatterns(hostile), { type: "object", properties: { pattern: { type: "string" } } });
  });
});
