import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { splice } from "#lib/json/splice";
import { CorpusRandom } from "#test/guard-corpus/random";
import { check, evaluatorOf, guard, patientEngine } from "#test/guard-kit";
import { BUILT_IN_GUARDS } from "./builtins.ts";
import { GuardSet } from "./guard-set.ts";
import { argumentsPayload, contentPayload, progressPayload, resultPayload } from "./payload.ts";
import { scanPayload } from "./scan.ts";

const engine = patientEngine();
after(() => engine.close());
const emails = guard({ action: "redact", checks: [check("pii", { entities: ["email"] })] });

function selectionOf(set: GuardSet) {
  return { set, guards: set.compiled.guards };
}

describe("GuardEngine", () => {
  it("answers small payloads synchronously and large ones with a promise, with the same decision", async () => {
    const selection = selectionOf(new GuardSet([emails], systemClock));
    const evaluate = (content: unknown) =>
      engine.evaluate(selection, contentPayload(content), { direction: "request" });
    const small = evaluate(["ann@example.com"]);
    assert.ok(!(small instanceof Promise));
    assert.equal(small.action, "redact");
    const large = evaluate([`${"x ".repeat(60_000)}ann@example.com`]);
    assert.ok(large instanceof Promise);
    assert.deepEqual(
      (await large).redactions.map(({ replacement }) => replacement),
      ["[REDACTED-EMAIL]"],
    );
  });

  it("edits the message around the payload, in several chunks, also when a worker examined it", async () => {
    for (const filler of ["", "é ".repeat(60_000)]) {
      const arguments_ = JSON.stringify({ note: `${filler}write to ann@example.com é` });
      const message = Buffer.from(`{"id":1,"params":{"arguments":${arguments_},"x":"bob@example.com"}}`);
      const source = new ByteSource([message.subarray(0, 45), message.subarray(45)]);
      const start = message.indexOf('{"note"');
      const payload = argumentsPayload(source, { start, end: start + Buffer.byteLength(arguments_) });
      const selection = selectionOf(new GuardSet([emails], systemClock));
      const { edits } = await engine.evaluate(selection, payload, { direction: "request" });
      assert.equal(splice(source, edits).toString(), message.toString().replace("ann@example.com", "[REDACTED-EMAIL]"));
    }
  });

  it("examines results, resources, prompts and progress messages", async () => {
    const set = selectionOf(new GuardSet([emails], systemClock));
    const paths = async (value: unknown, make = resultPayload) => {
      const source = new ByteSource(Buffer.from(JSON.stringify(value)));
      const { redactions } = await engine.evaluate(set, make(source, { start: 0, end: source.length }), {
        direction: "response",
      });
      return redactions.map(({ path }) => path);
    };
    const text = "ann@example.com";
    assert.deepEqual(await paths({ content: [{ type: "text", text }], structuredContent: { a: [text] } }), [
      "content.0.text",
      "structuredContent.a.0",
    ]);
    assert.deepEqual(await paths({ contents: [{ uri: "file:///x", text, blob: "YW5uQGV4YW1wbGUuY29t" }] }), [
      "contents.0.text",
    ]);
    assert.deepEqual(await paths({ messages: [{ role: "user", content: { type: "resource", resource: { text } } }] }), [
      "messages.0.content.resource.text",
    ]);
    assert.deepEqual(await paths(text, progressPayload), ["message"]);
  });

  it("judges the size of large payloads without reading them", () => {
    const sized = guard({ checks: [check("size", { max_bytes: 1_000_000 })] });
    const selection = selectionOf(new GuardSet([sized], systemClock));
    const evaluation = engine.evaluate(selection, contentPayload("x".repeat(2_000_000)), { direction: "response" });
    assert.ok(!(evaluation instanceof Promise));
    assert.equal(evaluation.action, "block");
  });

  it("repeats in a worker what takes too long, instead of stalling the caller", async () => {
    const patterns = [check("regex", { pattern: "a[^z]*z|a" })];
    const selection = selectionOf(new GuardSet([guard({ action: "log", checks: patterns })], systemClock));
    const evaluation = engine.evaluate(selection, contentPayload("a".repeat(25_000)), { direction: "request" });
    assert.ok(evaluation instanceof Promise);
    assert.ok(["log", undefined].includes((await evaluation).action));
  });

  it("survives a pattern that matches everything, and redacts all of it", async () => {
    const all = guard({ action: "redact", checks: [check("regex", { pattern: ".", replacement: "*" })] });
    assert.equal(await evaluatorOf([all]).redacted(JSON.stringify({ "": "x".repeat(9_000) })), '{"":"*"}');
  });

  it("finishes on texts that are made to backtrack", () => {
    const set = new GuardSet(BUILT_IN_GUARDS, systemClock);
    const fragments = [
      ..."a1' -.:@+/\\<>=_\t\n(é",
      ...["1 ", "1-", "a ", "a@", "a.", "'a ", "send ", "ignore ", "your ", "all ", "token ", "secret to ", "read "],
      ...[
        "://a:",
        "-----BEGIN ",
        "PRIVATE KEY-----",
        "eyJ",
        "eyJ.",
        "password=",
        "0x",
        "+1 ",
        "(2",
        "<!--",
        "::",
        "00:",
      ],
      ...[
        "DE89",
        "1 A Street ",
        "1 A B ",
        "rue de ",
        "born 1.",
        "passport ",
        "http:",
        "do not tell ",
        "call tool_",
        "1.1.",
      ],
    ];
    const random = new CorpusRandom(9);
    const texts = fragments.map((each) => each.repeat(Math.ceil(24_000 / each.length)));
    for (let round = 0; round < 150; round++) {
      const unit = Array.from({ length: random.integer(2, 4) }, () => random.pick(fragments)).join("");
      texts.push(`${random.pick(fragments)}${unit.repeat(Math.ceil(8_000 / unit.length))}${random.pick(fragments)}`);
    }
    for (const text of texts) {
      const bytes = Buffer.from(JSON.stringify([text]));
      const input = { bytes, base: 0, prefix: "", skipBinary: false, schemaTarget: undefined, tool: undefined };
      scanPayload(set.compiled, set.compiled.guards, input, { leafBytes: 1 << 20, messageBytes: 1 << 20 });
    }
  });
});
