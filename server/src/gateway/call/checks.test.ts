import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { exampleGateway } from "#test/example-gateway";
import { createCaller } from "#test/upstreams/caller";
import { listenOnLoopback } from "#test/upstreams/loopback";
import { startRawUpstream } from "#test/upstreams/raw";
import type { EndedCall } from "../call-log/record.ts";
import type { CallChecks, CheckedCall, RequestCheck, ResponseCheck } from "../snapshot/shape.ts";

interface Answer {
  readonly result?: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
}

async function openGateway(t: TestContext, checks: Partial<CallChecks>) {
  const upstream = await startRawUpstream();
  const caller = createCaller();
  const records: EndedCall[] = [];
  let begun = 0;
  const gateway = exampleGateway(
    {
      upstreams: caller.upstreams,
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
    { url: upstream.url, checks: { request: [], response: [], ...checks } },
  );
  const server = await listenOnLoopback((request, response) => gateway.handle(request, response));
  t.after(async () => {
    gateway.close();
    await server.close();
    await caller.close();
    await upstream.close();
  });
  const call = async (args: object): Promise<Answer> => {
    const answer = await fetch(`${server.origin}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer KEY:secret", "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "github__echo", arguments: args },
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
        [["denied", "No deletions on Fridays", "echo"]],
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
      assert.deepEqual([records[0]?.outcome, begun()], ["denied", 1]);
    });
  }
});
