import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ConfigField, configOf, startOf } from "./check-config.ts";

const field = (name: string, type: ConfigField["type"], rest: Partial<ConfigField> = {}): ConfigField => {
  return { name, type, required: false, description: "", ...rest };
};

describe("the settings of a check", () => {
  const fields = [
    field("pattern", "string", { required: true }),
    field("words", "list"),
    field("whole_word", "boolean", { default: true }),
    field("schema", "object"),
  ];

  it("start with what is stored, then with defaults, and objects as JSON", () => {
    assert.deepEqual(startOf(fields, { pattern: "a", schema: { type: "object" } }), {
      pattern: "a",
      words: [],
      whole_word: true,
      schema: '{\n  "type": "object"\n}',
    });
  });

  it("are sent without optional fields that are empty", () => {
    const values = { pattern: "", words: [], whole_word: false, schema: "{}" };
    assert.deepEqual(configOf(fields, values), { pattern: "", whole_word: false, schema: {} });
  });

  it("keep secrets that are not entered again", () => {
    const secrets = [
      field("headers", "object", { secret: true, default: {} }),
      field("api_key", "string", { secret: true }),
    ];
    assert.deepEqual(configOf(secrets, startOf(secrets, {})), {});
    const entered = { headers: '{"A":"b"}', api_key: "k" };
    assert.deepEqual(configOf(secrets, entered), { headers: { A: "b" }, api_key: "k" });
  });

  it("are incomplete while an object is not valid JSON", () => {
    assert.equal(configOf(fields, { pattern: "a", schema: "{" }), undefined);
  });
});
