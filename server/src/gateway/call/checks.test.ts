import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { exampleTools } from "#test/example-entries";
import { type ExampleGatewayOptions, exampleGateway } from "#test/example-gateway";
import { createCaller } from "#test/upstreams/caller";
import { listenOnLoopback } from "#test/upstreams/loopback";
import { startRawUpstream } from "#test/upstreams/raw";
import type { EndedCall } from "../call-log/record.ts";
import { resultBody } from "../envelope/errors.ts";
import { JSON_HEADERS, type OwnContent } from "../request.ts";
import { buildListing, EMPTY_LISTING } from "../snapshot/listing.ts";
import type { CallChecks, CheckedCall, RequestCheck, ResponseCheck } from "../snapshot/shape.ts";

interface Answer {
  readonly result?: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
}

async function openGateway(
  t: TestContext,
  checks: Partial<CallChecks>,
  options: ExampleGatewayOptions = {},
  own?: OwnContent,
) {
  const upstream = await startRawUpstream();
  const caller = createCaller();
  const records: EndedCall[] = [];
  let begun = 0;
  const gateway = exampleGateway(
    {
      upstreams: caller.upstreams,
      own,
      calls: {
        begin(_call, send) {
          begun++;
          send();
        },
        end(call, answer) {
          records.push(call);
          answer();
        },
      },
    },
    { url: upstream.url, checks: { request: [], response: [], message: [], ...checks }, ...options },
  );
  const server = await listenOnLoopback((request, response) => gateway.handle(request, response));
  t.after(async () => {
    gateway.close();
    await server.close();
    await caller.close();
    await upstream.close();
  });
  const call = async (args: object, name = "github__echo"): Promise<Answer> => {
    const answer = await fetch(`${server.origin}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer KEY:secret", "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: args },
      }),
    });
    return (await answer.json()) as Answer; // assertions check the rest
  };
  return { call, records, begun: () => begun, upstream };
}

/** Replaces the first occurrence of the word in the arguments. */
const replaceWord = (word: string, text: string): RequestCheck => ({
  check({ source, arguments: range }) {
    const found = range ? source.text(range).indexOf(word) : -1;
    if (found === -1 || !range) return undefined;
    const start = range.start + found;
    return { kind: "edit", edits: [{ start, end: start + word.length, text }] };
  },
});

const deferred = {
  request: ({ check }: RequestCheck): RequestCheck => ({ check: (call) => nextTurn().then(() => check(call)) }),
  response: ({ check }: ResponseCheck): ResponseCheck => ({
    check: (call, result) => nextTurn().then(() => check(call, result)),
  }),
};

describe("request checks", () => {
  for (const [timing, wrap] of [
    ["synchronous", (check: RequestCheck) => check],
    ["asynchronous", deferred.request],
  ] as const) {
    it(`edit the bytes that a ${timing} check finds, and preserve all others`, async (t) => {
      const checks = [wrap(replaceWord("secret", "[hidden]")), wrap(replaceWord("other", "more"))];
      const { call, upstream } = await openGateway(t, { request: checks });
      await call({ message: "a secret and other words", n: 1 });
      const sent = upstream.seen.find(({ method }) => method === "tools/call");
      assert.ok(sent?.body.includes('{"message":"a [hidden] and more words","n":1}'), String(sent?.body));
    });

    it(`block a call before it is forwarded (${timing}), with a tool error and a log record`, async (t) => {
      const block: RequestCheck = { check: () => ({ kind: "block", message: "No deletions on Fridays" }) };
      const { call, records, begun, upstream } = await openGateway(t, { request: [wrap(block)] });
      const { result } = await call({});
      assert.deepEqual([result?.isError, result?.content[0]?.text], [true, "No deletions on Fridays"]);
      assert.deepEqual(
        records.map(({ outcome, error, tool }) => [outcome, error, tool]),
        [["blocked", "No deletions on Fridays", "echo"]],
      );
      assert.equal(begun(), 0);
      assert.equal(upstream.seen.length, 0);
    });

    it(`block the call when a ${timing} check throws`, async (t) => {
      const broken: RequestCheck = {
        check() {
          throw new Error("out of order");
        },
      };
      const { call, records, begun } = await openGateway(t, { request: [wrap(broken)] });
      const { result } = await call({});
      assert.deepEqual([result?.isError, result?.content[0]?.text], [true, "The call could not be checked"]);
      assert.deepEqual([records[0]?.outcome, begun()], ["error", 0]);
    });
  }

  it("receive the user, server, method, and tool", async (t) => {
    const seen: CheckedCall[] = [];
    const { call } = await openGateway(t, { request: [{ check: (one) => void seen.push(one) }] });
    await call({ message: "x" });
    assert.deepEqual(
      seen.map(({ user, server, method, tool }) => [user.id, server.slug, method, tool]),
      [["usr_1", "github", "tools/call", "echo"]],
    );
  });
});

describe("response checks", () => {
  const hide: ResponseCheck = {
    check(_call, { source, result }) {
      const at = source.text(result).indexOf("token-1");
      const start = result.start + at;
      return at === -1 ? undefined : { kind: "edit", edits: [{ start, end: start + 7, text: "*" }] };
    },
  };

  for (const [timing, wrap] of [
    ["synchronous", (check: ResponseCheck) => check],
    ["asynchronous", deferred.response],
  ] as const) {
    it(`edit the result (${timing})`, async (t) => {
      const { call, records } = await openGateway(t, { response: [wrap(hide)] });
      const { result } = await call({ message: "token-1" });
      assert.ok(!JSON.stringify(result).includes("token-1") && JSON.stringify(result).includes("*"));
      assert.equal(records[0]?.outcome, "ok");
    });

    it(`withhold a blocked result from the caller (${timing})`, async (t) => {
      const block: ResponseCheck = { check: () => ({ kind: "block", message: "The result was blocked" }) };
      const { call, records, begun } = await openGateway(t, { response: [wrap(block)] });
      const { result } = await call({ message: "token-1" });
      assert.deepEqual([result?.isError, result?.content[0]?.text], [true, "The result was blocked"]);
      assert.deepEqual([records[0]?.outcome, begun()], ["blocked", 1]);
    });
  }
});

describe("a tool with changed arguments", () => {
  it("gets its fixed arguments, which request checks see and cannot undo", async (t) => {
    const tools = exampleTools("github", ["echo"]);
    const fixed = new Map([["message", { json: '"secret"', toolkit: "kit" }]]);
    const argumentChanges = { fixed, defaults: new Map([["n", "1"]]), hidden: new Set(["hidden"]) };
    const items = tools.items.map((item) => ({ ...item, argumentChanges }));
    const changed = { ...tools, items, byKey: new Map(items.map((item) => [item.slug, item])) };
    const seen: CheckedCall[] = [];
    const watch: RequestCheck = { check: (call) => void seen.push(call) };
    const request = [watch, replaceWord("mine", "theirs")];
    const { call, upstream } = await openGateway(t, { request }, { tools: changed });
    await call({ hidden: "mine" });
    const sent = upstream.seen.find(({ method }) => method === "tools/call");
    assert.ok(sent?.body.includes('{"n":1,"message":"secret"}'), String(sent?.body));
    assert.equal(seen[0]?.edits.length, 2);
  });
});

describe("content of the gateway itself", () => {
  const find = { slug: "gatehouse__find", upstreamName: "find" };
  const ownSources = [
    {
      kind: "own",
      key: "gatehouse",
      content: "example",
      active: true,
      groupIds: new Set(["grp_1"]),
      warnings: "",
      tools: buildListing(
        "tools",
        [{ identifier: find.slug, definition: '{"inputSchema":{}}', fields: find }],
        ({ slug }) => [slug],
      ),
      prompts: EMPTY_LISTING,
      resources: EMPTY_LISTING,
      resourceTemplates: EMPTY_LISTING,
    } as const,
  ];

  it("is answered by the entry for its content, without an upstream", async (t) => {
    const own: OwnContent = new Map([
      [
        "example",
        ({ call: { rawId }, exchange }) =>
          exchange.answer(200, JSON_HEADERS, [resultBody(rawId, '{"content":[{"type":"text","text":"found"}]}')]),
      ],
    ]);
    const { call, upstream } = await openGateway(t, {}, { ownSources }, own);
    assert.equal((await call({}, "gatehouse__find")).result?.content[0]?.text, "found");
    assert.equal(upstream.seen.length, 0);
  });

  it("is unknown when no entry answers it", async (t) => {
    const { call, records } = await openGateway(t, {}, { ownSources });
    assert.equal((await call({}, "gatehouse__find")).result, undefined);
    assert.deepEqual([records[0]?.outcome, records[0]?.error], ["denied", "Unknown tool: gatehouse__find"]);
  });
});
