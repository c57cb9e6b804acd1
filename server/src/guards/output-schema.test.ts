import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ByteSource } from "#lib/json/byte-source";
import { scanJson } from "#lib/json/scanner";
import { splice } from "#lib/json/splice";
import { watchPlan } from "#lib/json/watch-plan";
import { compileOutputSchema, fitOutputSchema } from "./output-schema.ts";

const EMAIL = "ann@example.com";

/** Replaces every address and fits the result to the schema. */
function redact(text: string, schema: unknown): string {
  const source = new ByteSource(Buffer.from(text));
  const members = scanJson(source.chunks, { watch: watchPlan([[]]) }).objects[0]?.members ?? new Map();
  const edits = [...text.matchAll(/ann@example\.com/g)].map(({ index }) => ({
    start: index,
    end: index + EMAIL.length,
    text: "[X]",
  }));
  return splice(source, fitOutputSchema(source, members, edits, compileOutputSchema(schema))).toString();
}

describe("fitOutputSchema", () => {
  const strict = { type: "object", properties: { to: { type: "string", pattern: "@" } } };
  const lax = { type: "object", properties: { to: { type: "string" } } };
  const content = `"content":[{"type":"text","text":"${EMAIL}"}]`;
  const structured = `"structuredContent": {"to":"${EMAIL}"}`;

  it("keeps structured content that still matches", () => {
    assert.equal(redact(`{${content},${structured}}`, lax), `{${content},${structured}}`.replaceAll(EMAIL, "[X]"));
  });

  it("removes structured content that does not match anymore, wherever it is", () => {
    const redacted = content.replace(EMAIL, "[X]");
    for (const [text, expected] of [
      [`{${content}, ${structured} }`, `{${redacted} }`],
      [`{ ${structured} , ${content}}`, `{ ${redacted}}`],
      [`{"a":1,${structured},"b":2}`, '{"a":1,"b":2}'],
      [`{${structured}}`, "{}"],
    ] as const) {
      assert.equal(redact(text, strict), expected);
      assert.doesNotThrow(() => JSON.parse(redact(text, strict)));
    }
  });

  it("removes structured content if the schema cannot be applied", () => {
    assert.equal(redact(`{"a":1,${structured}}`, { patternProperties: {} }), '{"a":1}');
    assert.equal(
      redact(`{${content},"structuredContent":{"n":1}}`, strict),
      `{${content.replace(EMAIL, "[X]")},"structuredContent":{"n":1}}`,
    );
  });
});
