import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sanitizeInstructions } from "./sanitize-instructions.ts";

const textOf = (given: string | undefined) => JSON.parse(sanitizeInstructions(given).definition);

describe("the instructions of a server", () => {
  it("lose control characters, bidi overrides and tags, and have one kind of line break", () => {
    assert.deepEqual(textOf(" a\u0000\u001b[1m\r\nb\u2028c\u202e\u{e0041} \n"), { text: "a[1m\nb\nc" });
  });

  it("report characters that a reviewer cannot see", () => {
    assert.deepEqual(sanitizeInstructions("a\u200bb").unseen, ["U+200B"]);
  });

  it("are truncated, with the number of characters that are missing", () => {
    const { text, omitted } = textOf("x".repeat(9_000));
    assert.deepEqual([text.length, omitted], [8_192, 808]);
  });

  it("are an empty text with the digest of nothing if there are none", () => {
    const { digest, definition } = sanitizeInstructions(undefined);
    assert.deepEqual([definition, digest.slice(0, 8)], ['{"text":""}', "e3b0c442"]);
  });
});
