import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { check, evaluatorOf, guard, PATIENT_MS } from "#test/guard-kit";
import { GuardEngine } from "../engine.ts";
import { blockedText } from "../evaluation.ts";
import type { RemotePorts } from "./run-remote.ts";

const WEBHOOK = check("webhook", { url: "https://check.test/", headers: { "X-Key": "k" }, timeout_ms: 100 });
const JUDGE = check("llm", { provider: "openai", model: "m", prompt: "Is it safe?", timeout_ms: 100 });

interface Sent {
  url?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  text?: string;
}

/** The outside world: answers every request with the same text. */
function ports(answer: string | Promise<never>, sent: Sent = {}, status = 200): RemotePorts {
  return {
    http: {
      post: async (request) => {
        Object.assign(sent, request);
        return { status, body: await answer };
      },
    },
    judge: {
      judge: async (request) => {
        Object.assign(sent, request);
        return answer;
      },
    },
  };
}

function evaluatorWith(remote: RemotePorts | undefined, fields: object) {
  const engine = new GuardEngine({
    clock: systemClock,
    limitMs: PATIENT_MS,
    ...(remote === undefined ? {} : { ports: remote }),
  });
  return evaluatorOf([guard(fields)], engine);
}

describe("a webhook check", () => {
  it("sends guard, direction, tool and text, and fires if the score reaches the threshold", async () => {
    const sent: Sent = {};
    const evaluation = await evaluatorWith(ports('{"score":8,"reason":"bad"}', sent), { checks: [WEBHOOK] }).text({
      a: "one",
      b: ["two"],
    });
    assert.equal(evaluation.action, "block");
    assert.equal(sent.url, "https://check.test/");
    assert.deepEqual(sent.headers, { "X-Key": "k" });
    assert.deepEqual(JSON.parse(sent.body ?? ""), {
      guard: "test",
      direction: "request",
      tool: "a__b",
      text: "one\ntwo",
    });
    assert.ok(!JSON.stringify(evaluation.results).includes("bad"));
    const passed = await evaluatorWith(ports('{"score":6.4}'), { checks: [WEBHOOK] }).text("x");
    assert.deepEqual([passed.action, passed.results[0]?.score], [undefined, 6]);
  });

  it("sends the value without changes if configured", async () => {
    const sent: Sent = {};
    const full = check("webhook", { url: "https://check.test/", send: "full" });
    await evaluatorWith(ports('{"score":0}', sent), { checks: [full] }).text({ n: 1, s: "t" });
    assert.ok(sent.body?.endsWith(',"arguments":{"n":1,"s":"t"}}'));
  });

  it("redacts the spans of the answer, which count characters across all texts", async () => {
    const answer = JSON.stringify({
      score: 9,
      spans: [
        { start: 1, end: 4, replacement: "_" },
        { start: 7, end: 8 },
      ],
    });
    const redacting = evaluatorWith(ports(answer), { action: "redact", checks: [WEBHOOK] });
    // The joined text is "😀ab\ncd\nef": the first span covers the end of one text and the separator.
    assert.equal(await redacting.redacted('["😀ab","cd","ef"]'), '["😀_","cd","[REDACTED-WEBHOOK]f"]');
  });

  it("fires also if the spans contain only separators", async () => {
    const answer = ports('{"score":9,"spans":[{"start":1,"end":2}]}');
    assert.equal((await evaluatorWith(answer, { checks: [WEBHOOK] }).text(["a", "b"])).action, "block");
  });

  it("replaces the only text of a payload", async () => {
    const replacing = evaluatorWith(ports('{"score":10,"text":"clean \\"text\\""}'), {
      action: "redact",
      checks: [WEBHOOK],
    });
    assert.equal(await replacing.redacted('"dirty text"'), '"clean \\"text\\""');
  });

  for (const [name, answer, status] of [
    ["is not JSON", "yes", 200],
    ["is not an object", "[8]", 200],
    ["has no score", "{}", 200],
    ["has a score above 10", '{"score":11}', 200],
    ["has an unknown member", '{"score":1,"verdict":true}', 200],
    ["has a span outside of the text", '{"score":9,"spans":[{"start":0,"end":99}]}', 200],
    ["has an empty span", '{"score":9,"spans":[{"start":1,"end":1}]}', 200],
    ["has a text for several texts", '{"score":9,"text":"x"}', 200],
    ["has another status", '{"score":0}', 500],
  ] as const) {
    it(`fails if the answer ${name}, and on_error decides`, async () => {
      const payload = ["one", "two"];
      const blocked = await evaluatorWith(ports(answer, {}, status), { checks: [WEBHOOK] }).text(payload);
      assert.deepEqual([blocked.action, blocked.error], ["block", "failed"]);
      assert.equal(blockedText(blocked), 'Blocked by guard "Test": a check failed');
      const allowed = await evaluatorWith(ports(answer, {}, status), { on_error: "allow", checks: [WEBHOOK] }).text(
        payload,
      );
      assert.deepEqual([allowed.action, allowed.results[0]?.error], [undefined, "failed"]);
    });
  }

  it("times out", async () => {
    const silent = ports(new Promise<never>(() => {}));
    const keepAlive = setInterval(() => {}, 1_000);
    const evaluation = await evaluatorWith(silent, { checks: [WEBHOOK] }).text("x");
    clearInterval(keepAlive);
    assert.deepEqual([evaluation.action, evaluation.error], ["block", "timeout"]);
  });

  it("fails without a client", async () => {
    assert.equal((await evaluatorWith(undefined, { checks: [WEBHOOK] }).text("x")).error, "failed");
  });
});

describe("an llm check", () => {
  it("asks with the prompt and accepts only score and reason", async () => {
    const sent: Sent = {};
    assert.equal(
      (await evaluatorWith(ports('{"score":7,"reason":"r"}', sent), { checks: [JUDGE] }).text("hello")).action,
      "block",
    );
    assert.equal(sent.text, "hello");
    assert.equal((await evaluatorWith(ports('{"score":1,"spans":[]}'), { checks: [JUDGE] }).text("x")).error, "failed");
  });
});
