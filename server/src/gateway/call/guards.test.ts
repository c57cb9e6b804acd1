import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import type { GuardDefinition } from "#guards/definition";
import { systemClock } from "#lib/clock";
import { exampleTools } from "#test/example-entries";
import { type ExampleGatewayOptions, exampleGateway } from "#test/example-gateway";
import { evaluatorOf, guard, patientEngine } from "#test/guard-kit";
import { createCaller } from "#test/upstreams/caller";
import { listenOnLoopback } from "#test/upstreams/loopback";
import { startRawUpstream } from "#test/upstreams/raw";
import { guardChecks } from "../snapshot/guard-checks.ts";

const WORD = { type: "keyword", name: "Word", config: { words: ["canary"] } };

async function openGateway(t: TestContext, guards: readonly GuardDefinition[], options: ExampleGatewayOptions = {}) {
  const upstream = await startRawUpstream();
  const caller = createCaller();
  const engine = patientEngine();
  let evaluations = 0;
  const counted: string[] = [];
  const checks = guardChecks(new Map(guards.map((each) => [`grd_${each.slug}`, each])), {
    clock: systemClock,
    engine: {
      evaluate(...payload) {
        evaluations++;
        return engine.evaluate(...payload);
      },
    },
    observer: {
      evaluated: (ids, fired) => void counted.push(...ids.map((id) => `${id} ${fired.includes(id)}`)),
      blocked: () => {},
    },
  });
  const captured: string[] = [];
  const gateway = exampleGateway(
    {
      upstreams: caller.upstreams,
      calls: { begin: (_call, send) => send(), end: (_call, answer) => answer() },
      payloads: { add: ({ request }) => void captured.push(Buffer.concat(request).toString()) },
    },
    { url: upstream.url, checks, ...options },
  );
  const server = await listenOnLoopback((request, response) => gateway.handle(request, response));
  t.after(async () => {
    gateway.close();
    await server.close();
    await caller.close();
    await upstream.close();
  });
  const call = async (args: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.origin}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer KEY:secret", "content-type": "application/json", ...headers },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"github__echo","arguments":${args}}}`,
    });
    return answer.text();
  };
  const sent = () => upstream.seen.filter(({ method }) => method === "tools/call");
  return { call, sent, counted, evaluations: () => evaluations };
}

describe("guards at the gateway", () => {
  it("are not evaluated for a call outside of their scope", async (t) => {
    const elsewhere = [
      guard({ slug: "a", checks: [WORD], scope: { servers: ["srv_other"] } }),
      guard({ slug: "b", checks: [WORD], scope: { tools: ["github__other"] } }),
      guard({ slug: "c", checks: [WORD], scope: { users: ["usr_2"] } }),
      guard({ slug: "d", checks: [WORD], scope: { groups: ["grp_2"] } }),
      guard({ slug: "e", checks: [WORD], type: "buildtime" }),
    ];
    const { call, sent, evaluations } = await openGateway(t, elsewhere);
    await call('{"a":"canary"}');
    assert.deepEqual([sent().length, evaluations()], [1, 0]);
  });

  it("count each evaluation by the guard's ID", async (t) => {
    const guards = [
      guard({ slug: "a", action: "log", checks: [WORD], scope: { users: ["usr_1"], groups: ["grp_1"] } }),
      guard({ slug: "b", action: "log", direction: "request", checks: [{ ...WORD, config: { words: ["none"] } }] }),
    ];
    const { call, counted } = await openGateway(t, guards);
    await call('{"a":"canary"}');
    assert.deepEqual(counted, ["grd_a true", "grd_b false", "grd_a true"]);
  });

  it("leave the decision to on_error if a guard of another release cannot be compiled", async (t) => {
    const pattern = { type: "regex", name: "Pattern", config: { pattern: "none" } };
    const valid = guard({ slug: "a", direction: "request", checks: [pattern] });
    // As a stored definition that this release does not accept.
    const broken = JSON.parse(JSON.stringify(valid).replace('"none"', '"(?=look-ahead)"'));
    const blocks = await openGateway(t, [broken, guard({ slug: "b", action: "log", checks: [WORD] })]);
    assert.match(await blocks.call("{}"), /Blocked by guard .*: a check failed/);
    assert.deepEqual([blocks.sent().length, blocks.counted], [0, ["grd_a true", "grd_b false"]]);
    const allows = await openGateway(t, [{ ...broken, on_error: "allow" }]);
    await allows.call("{}");
    assert.equal(allows.sent().length, 1);
  });

  it("redact headers that repeat an argument", async (t) => {
    const tools = exampleTools("github", ["echo"]);
    const paramHeaders = [{ header: "mcp-param-a", path: ["a"] }];
    const items = tools.items.map((item) => ({ ...item, paramHeaders }));
    const changed = { ...tools, items, byKey: new Map(items.map((item) => [item.slug, item])) };
    const redacts = [guard({ slug: "a", action: "redact", direction: "request", checks: [WORD] })];
    const { call, sent } = await openGateway(t, redacts, { tools: changed });
    await call('{"a":"the canary","b":"canary"}');
    assert.equal(sent()[0]?.headers["mcp-param-a"], "the [REDACTED-WORD]");
    assert.ok(!JSON.stringify(sent()[0]?.headers).includes("canary") && !String(sent()[0]?.body).includes("canary"));
  });

  it("send exactly the bytes that an evaluation returns", async (t) => {
    const guards = [guard({ slug: "a", action: "redact", direction: "request", checks: [WORD] })];
    const { call, sent } = await openGateway(t, guards);
    const evaluator = evaluatorOf(guards);
    const text = fc.array(fc.oneof(fc.constant("canary"), fc.string({ unit: "binary" }), fc.constant(" ")), {
      maxLength: 4,
    });
    const value = fc.oneof(
      text.map((parts) => parts.join(" ")),
      fc.double({ noNaN: true }),
      fc.constant(null),
    );
    const args = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), value, { maxKeys: 4, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(args, fc.boolean(), async (given, isSpaced) => {
        const json = JSON.stringify(given, null, isSpaced ? 1 : undefined);
        const expected = await evaluator.redacted(json);
        await call(json);
        const body = String(sent().at(-1)?.body);
        assert.ok(body.includes(`"arguments":${expected}`), `${body} instead of ${expected}`);
      }),
      { numRuns: 60 },
    );
  });
});
