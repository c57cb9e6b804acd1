import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ByteSource } from "#lib/json/byte-source";
import { splice } from "#lib/json/splice";
import { check, evaluatorOf, guard } from "#test/guard-kit";
import { argumentsPayload } from "./payload.ts";

const emails = guard({ action: "redact", checks: [check("pii", { entities: ["email"] })] });

describe("redaction", () => {
  it("replaces the spans and copies every other byte", async () => {
    const { redacted } = evaluatorOf([emails]);
    assert.equal(
      await redacted('{ "n":1.10 , "to" : "Hi \\u0061@x.org\\n\\u00e9 é", "x":[ "b@y.org,c@z.org" ] }'),
      '{ "n":1.10 , "to" : "Hi [REDACTED-EMAIL]\\n\\u00e9 é", "x":[ "[REDACTED-EMAIL],[REDACTED-EMAIL]" ] }',
    );
  });

  it("changes no byte outside of the spans, for any payload", async () => {
    const parts = fc.constantFrom("é", "😀", '"', "\\", "\n", " ", "text ", "a@b.org", "j.d@mail.example", "４", "x@y");
    const texts = fc.array(parts, { maxLength: 12 }).map((each) => each.join(" "));
    const values = fc.record({ one: texts, two: fc.array(texts, { maxLength: 3 }), three: fc.jsonValue() });
    const { evaluate } = evaluatorOf([emails]);
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom(0, 1), async (value, indent) => {
        const source = new ByteSource(Buffer.from(JSON.stringify(value, undefined, indent)));
        const { edits, redactions } = await evaluate(argumentsPayload(source, { start: 0, end: source.length }));
        const redacted = splice(source, edits);
        let before = 0;
        let after = 0;
        for (const { start, end, text } of edits) {
          const kept = source.slice(before, start);
          assert.ok(redacted.subarray(after, after + kept.length).equals(kept));
          after += kept.length + Buffer.byteLength(text);
          before = end;
        }
        assert.ok(redacted.subarray(after).equals(source.slice(before, source.length)));
        assert.equal(edits.length, redactions.length);
        // The result is valid JSON of the same shape, without any address.
        const parsed = JSON.parse(redacted.toString()) as object;
        assert.deepEqual(Object.keys(parsed), Object.keys(value));
        assert.ok(!/a@b\.org|j\.d@mail/.test(JSON.stringify([parsed]).replace(/"three":.*$/s, "")));
      }),
    );
  });

  it("merges overlapping spans, with the replacement of the longest", async () => {
    const words = (slug: string, word: string, replacement: string) =>
      guard({ slug, action: "redact", checks: [check("regex", { pattern: word, replacement })] });
    const { redacted } = evaluatorOf([
      words("a", "bcd", "[SHORT]"),
      words("b", "cdefgh", "[LONG]"),
      words("c", "h", "[H]"),
    ]);
    assert.equal(await redacted('{"k":"abcdefghi h"}'), '{"k":"a[LONG]i [H]"}');
  });

  it("keeps redacted keys unique", async () => {
    const { redacted } = evaluatorOf([emails]);
    const json = '{"a@x.org":1,"to b@x.org":2,"[REDACTED-EMAIL]":3,"plain":{"c@x.org":4}}';
    assert.equal(
      await redacted(json),
      '{"[REDACTED-EMAIL]-2":1,"[REDACTED-EMAIL]-3":2,"[REDACTED-EMAIL]":3,"plain":{"[REDACTED-EMAIL]":4}}',
    );
  });

  it("writes replacements as JSON", async () => {
    const quoting = guard({ action: "redact", checks: [check("regex", { pattern: "x", replacement: '"\\\n' })] });
    assert.equal(await evaluatorOf([quoting]).redacted('{"k":"x"}'), '{"k":"\\"\\\\\\n"}');
  });

  it("never changes numbers: on_error decides", async () => {
    const cards = (onError: string) =>
      guard({ action: "redact", on_error: onError, checks: [check("pii", { entities: ["credit_card"] })] });
    const payload = { card: 4111111111111111 };
    assert.equal((await evaluatorOf([cards("block")]).text(payload)).action, "block");
    const allowed = await evaluatorOf([cards("allow")]).text(payload);
    assert.equal(allowed.action, "redact");
    assert.deepEqual(allowed.edits, []);
  });

  it("shows at most two characters of a match anywhere in the evaluation", async () => {
    const secret = "jane.roe.1984@example.com";
    const everything = ["log", "warn", "redact", "require_approval", "block"].map((action) =>
      guard({ slug: action.replace("_", "-"), action, checks: [check("pii", { entities: ["email"] })] }),
    );
    for (const guards of [everything, ...everything.map((each) => [each])]) {
      const evaluation = await evaluatorOf(guards).text({ note: `from ${secret} to` });
      const { guard: _decided, ...shown } = evaluation;
      assert.ok(!/jan|roe|1984|example/.test(JSON.stringify(shown)));
      assert.equal(evaluation.results[0]?.findings[0]?.excerpt, "ja…");
    }
  });
});
