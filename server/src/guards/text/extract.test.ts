import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { JsonFault } from "#lib/json/scan";
import { DEFAULT_LIMITS, extractLeaves } from "./extract.ts";
import { type Leaf, mapOffsets, pathOf } from "./leaf.ts";

const OPTIONS = { ...DEFAULT_LIMITS, prefix: "arguments", skipBinary: false };

function extract(text: string, options: Partial<typeof OPTIONS> = {}) {
  return extractLeaves(Buffer.from(text), 0, { ...OPTIONS, ...options });
}

function paths(text: string, options: Partial<typeof OPTIONS> = {}): string[] {
  return extract(text, options).leaves.map((leaf) => `${leaf.kind} ${pathOf(leaf)} = ${leaf.text}`);
}

/** All strings and keys of a value, in document order. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [...(key === "" ? [] : [key]), ...stringsOf(member)]);
}

/** Written with as many escapes as JSON allows. */
function escaped(text: string): string {
  return text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

describe("extractLeaves", () => {
  it("finds string values and keys with their paths, and numbers with many digits", () => {
    const text = '{"a": {"b": ["x", {"c d": "y"}], "n": 4111111111111111, "small": 12}, "e": ""}';
    assert.deepEqual(paths(text), [
      "key arguments.a = a",
      "key arguments.a.b = b",
      "value arguments.a.b.0 = x",
      "key arguments.a.b.1.c d = c d",
      "value arguments.a.b.1.c d = y",
      "key arguments.a.n = n",
      "number arguments.a.n = 4111111111111111",
      "key arguments.a.small = small",
      "key arguments.e = e",
    ]);
  });

  it("finds a text that is the entire value", () => {
    assert.deepEqual(paths('"progress of x"', { prefix: "message" }), ["value message = progress of x"]);
  });

  it("skips images, audio and blobs of results, but no other member with such a name", () => {
    const result = {
      content: [
        { type: "text", text: "one" },
        { type: "image", data: "aW1hZ2U=", mimeType: "image/png" },
        { type: "resource", resource: { uri: "file:///a", blob: "YmxvYg==", text: "two" } },
      ],
      structuredContent: { data: "three", blob: "four" },
    };
    const found = extract(JSON.stringify(result), { prefix: "", skipBinary: true }).leaves.map(({ text }) => text);
    for (const text of ["one", "two", "three", "four"]) assert.ok(found.includes(text), text);
    for (const text of ["aW1hZ2U=", "YmxvYg=="]) assert.ok(!found.includes(text), text);
  });

  it("refuses duplicate keys, also when they are spelled with escapes", () => {
    const many = Array.from({ length: 40 }, (_, at) => `"k${at}":1`).join(",");
    for (const text of ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', `{${many},"k7":2}`, '[{"x":{"a":1,"b":2,"a":3}}]']) {
      assert.throws(
        () => extract(text),
        (error) => error instanceof JsonFault && error.kind === "duplicate-key",
      );
    }
    assert.doesNotThrow(() => extract('{"a":{"a":1},"b":[{"a":1},{"a":2}]}'));
  });

  it("extracts the same strings as JSON.parse, from any valid text", () => {
    const values = fc.jsonValue({ maxDepth: 5 });
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const leaves = extract(text, { prefix: "" }).leaves.filter(({ kind }) => kind !== "number");
        assert.deepEqual(
          leaves.map((leaf) => leaf.text),
          stringsOf(JSON.parse(text)),
        );
      }),
    );
  });

  it("cuts texts at the limit, never inside a character or an escape, and reports it", () => {
    for (const unit of ["a", "é", "😀", "\\n", "\\u00e9", "\\\\"]) {
      for (let limit = 8; limit < 24; limit++) {
        const { leaves, oversize } = extract(`{"k":"${unit.repeat(80)}"}`, { leafBytes: limit });
        assert.ok(oversize);
        const cut = leaves.at(-1)?.text ?? "";
        const whole = JSON.parse(`"${unit}"`) as string;
        assert.equal(cut, whole.repeat(cut.length / whole.length));
        assert.ok(cut.length > 0 || unit.length > limit);
      }
    }
  });

  it("stops when the message has more text than the limit", () => {
    const text = JSON.stringify(Array.from({ length: 100 }, () => "x".repeat(100)));
    const { leaves, oversize } = extract(text, { messageBytes: 1_000 });
    assert.ok(oversize);
    assert.ok(leaves.length < 15);
    assert.ok(!extract(text).oversize);
  });

  it("takes linear time for many escapes and many short strings", () => {
    extract(`["${"\\n".repeat(120_000)}"]`);
    extract(JSON.stringify(Array.from({ length: 100_000 }, () => "")));
    extract(`[${'"\\"",'.repeat(100_000)}1]`);
  });
});

describe("mapOffsets", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\n", '"', "\\", "x"), maxLength: 30 });

  it("maps every span to the bytes that decode to it", () => {
    fc.assert(
      fc.property(texts, texts, texts, fc.boolean(), (before, inside, after, isEscaped) => {
        fc.pre(inside !== "");
        const write = (text: string) => (isEscaped ? escaped(text) : JSON.stringify(text).slice(1, -1));
        const bytes = Buffer.from(`{"k":"${write(before)}${write(inside)}${write(after)}"}`);
        const leaf = extract(bytes.toString()).leaves.find(({ kind }) => kind === "value") as Leaf;
        const span = { start: before.length, end: before.length + inside.length };
        const range = mapOffsets(leaf, (at) => bytes[at] ?? 0, [span])(span.start, span.end);
        assert.equal(JSON.parse(`"${bytes.toString("utf8", range.start, range.end)}"`), inside);
      }),
    );
  });

  it("extends a span inside a character to all of it", () => {
    const bytes = Buffer.from('["x😀y"]');
    const leaf = extract(bytes.toString()).leaves[0] as Leaf;
    const toBytes = mapOffsets(leaf, (at) => bytes[at] ?? 0, [
      { start: 2, end: 3 },
      { start: 1, end: 2 },
    ]);
    for (const [start, end] of [
      [2, 3],
      [1, 2],
    ] as const) {
      const range = toBytes(start, end);
      assert.equal(bytes.toString("utf8", range.start, range.end), "😀");
    }
  });
});
