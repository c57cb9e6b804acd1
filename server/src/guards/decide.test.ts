import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ByteSource } from "#lib/json/byte-source";
import { check, evaluatorOf, guard } from "#test/guard-kit";
import { GUARD_ACTIONS } from "./definition.ts";
import { blockedText, guardNote } from "./evaluation.ts";
import { resultPayload } from "./payload.ts";

const email = [check("pii", { entities: ["email"] })];
const TEXT = { to: "ann@example.com" };

function withAction(action: string, fields: object = {}) {
  return guard({ slug: action.replace("_", "-"), name: action, action, checks: email, ...fields });
}

describe("the decision", () => {
  it("is the strongest action: block, require_approval, redact, warn, log", async () => {
    const order = GUARD_ACTIONS.map((action) => withAction(action));
    for (let strongest = order.length; strongest > 0; strongest--) {
      const { action, results, guard: decided } = await evaluatorOf(order.slice(0, strongest).reverse()).text(TEXT);
      assert.equal(action, GUARD_ACTIONS[strongest - 1]);
      assert.equal(decided?.action, action);
      assert.equal(results.length, strongest);
    }
  });

  it("is made on the original text, so a redaction hides nothing from a block", async () => {
    const block = guard({ slug: "z", priority: 900, checks: [check("regex", { pattern: "ann@" })] });
    const evaluation = await evaluatorOf([withAction("redact", { priority: 1 }), block]).text(TEXT);
    assert.equal(evaluation.action, "block");
    assert.deepEqual(evaluation.edits, []);
  });

  it("includes redactions when the call waits for an approval", async () => {
    const evaluation = await evaluatorOf([withAction("redact"), withAction("require_approval")]).text(TEXT);
    assert.equal(evaluation.action, "require_approval");
    assert.equal(evaluation.edits.length, 1);
  });

  it("names the guard with the lowest priority number among equals", async () => {
    const guards = [withAction("block", { slug: "b", priority: 5 }), withAction("block", { slug: "a", priority: 9 })];
    assert.equal((await evaluatorOf(guards).text(TEXT)).guard?.slug, "b");
  });

  it("compares the certainty with the threshold, and reports the score below it", async () => {
    const cards = (threshold: number) => guard({ threshold, checks: [check("pii", { entities: ["phone"] })] });
    const text = "(415) 555-2671";
    assert.equal((await evaluatorOf([cards(7)]).text(text)).action, "block");
    const { action, results } = await evaluatorOf([cards(9)]).text(text);
    assert.equal(action, undefined);
    assert.deepEqual([results[0]?.passed, results[0]?.score, results[0]?.findings], [true, 7, []]);
  });

  it("refuses duplicate keys, because parsers would read different texts", async () => {
    const { evaluate } = evaluatorOf([withAction("log")]);
    const source = new ByteSource(Buffer.from('{"content":[{"text":"a","text":"b"}]}'));
    const evaluation = await evaluate(resultPayload(source, { start: 0, end: source.length }));
    assert.equal(evaluation.action, "block");
    assert.equal(evaluation.refused, "duplicate-key");
    assert.equal(
      blockedText(evaluation),
      "Blocked: the content has an object with duplicate keys, so it cannot be checked",
    );
  });

  it("applies on_error to text that is too large to check", async () => {
    const large = ["x".repeat(300 * 1024)];
    const oversize = async (fields: object) => evaluatorOf([withAction("redact", fields)]).text(large);
    const blocked = await oversize({});
    assert.deepEqual([blocked.action, blocked.error], ["block", "oversize"]);
    assert.equal(blockedText(blocked), 'Blocked by guard "redact": the text is too large to check');
    const allowed = await oversize({ on_error: "allow" });
    assert.deepEqual(
      [allowed.action, allowed.results[0]?.error, allowed.results[0]?.passed],
      [undefined, "oversize", true],
    );
  });

  it("finds what is in the checked part of a text that is too large", async () => {
    const text = `ann@example.com ${"x".repeat(300 * 1024)}`;
    assert.equal((await evaluatorOf([withAction("log")]).text([text])).action, "log");
  });

  it("describes itself to the caller without the text that was found", async () => {
    const blocked = await evaluatorOf([withAction("block", { message: "no email addresses" })]).text(TEXT);
    assert.equal(blockedText(blocked), 'Blocked by guard "block": no email addresses');
    assert.deepEqual(guardNote(blocked, "request"), { slug: "block", action: "block", direction: "request" });
    const redacted = await evaluatorOf([withAction("redact")]).text(TEXT);
    assert.deepEqual(guardNote(redacted, "response"), {
      slug: "redact",
      action: "redact",
      direction: "response",
      redactions: 1,
    });
    assert.equal(guardNote(await evaluatorOf([withAction("log")]).text(TEXT), "request"), undefined);
  });
});
