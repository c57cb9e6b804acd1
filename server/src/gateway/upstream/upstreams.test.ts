import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { MCP_2026_07_28 } from "#test/gateway-kit";
import { type CallerOptions, createCaller, type Outcome, serverEntry, until } from "#test/upstreams/caller";
import { startEchoUpstream } from "#test/upstreams/echo";
import { type Behaviour, type RawUpstreamOptions, type SeenRequest, startRawUpstream } from "#test/upstreams/raw";

async function openRaw(t: TestContext, upstreamOptions: RawUpstreamOptions = {}, callerOptions: CallerOptions = {}) {
  const upstream = await startRawUpstream(upstreamOptions);
  const caller = createCaller(callerOptions);
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  return { upstream, caller };
}

/** Misbehaves only on tool calls, so that handshakes succeed. */
const onCalls = (behaviour: Behaviour) => (seen: SeenRequest) => (seen.method === "tools/call" ? behaviour : "json");

function structured(outcome: Outcome): unknown {
  assert.equal(outcome.failure, undefined);
  return JSON.parse(outcome.response ?? "").result.structuredContent;
}

for (const eras of ["modern", "legacy", "both"] as const) {
  for (const era of ["modern", "legacy"] as const) {
    for (const sessions of [false, true]) {
      test(`serves a ${era} caller from a raw upstream that speaks ${eras} (sessions: ${sessions})`, async (t) => {
        const { upstream, caller } = await openRaw(t, { eras, sessions });
        const server = serverEntry(upstream.url);
        assert.deepEqual(structured(await caller.call(server, { era, arguments: '{"n":1}' })), { n: 1 });
        assert.deepEqual(structured(await caller.call(server, { era, arguments: '{"n":2}' })), { n: 2 });
        const calls = upstream.seen.filter((seen) => seen.method === "tools/call");
        const spoken = eras === "both" ? era : eras;
        assert.deepEqual(
          calls.map((seen) => seen.era),
          [spoken, spoken],
        );
        assert.equal(upstream.count("initialize"), spoken === "legacy" || era === "legacy" ? 1 : 0);
      });

      test(`serves a ${era} caller from an SDK upstream that speaks ${eras} (sessions: ${sessions})`, async (t) => {
        const upstream = await startEchoUpstream({ eras, sessionful: sessions });
        const caller = createCaller();
        t.after(async () => {
          await caller.close();
          await upstream.close();
        });
        const server = serverEntry(upstream.url);
        assert.deepEqual(structured(await caller.call(server, { era, arguments: '{"word":"Grüße"}' })), {
          word: "Grüße",
        });
        const stepped = await caller.call(server, { era, tool: "progress" });
        assert.equal(stepped.notifications.length, 2);
        assert.match(stepped.response ?? "", /"done"/);
        assert.equal(upstream.executions(), 2);
      });
    }
  }
}

test("passes arguments and results byte for byte (GW-20)", async (t) => {
  const { upstream, caller } = await openRaw(t);
  const given = '{ "big": 9007199254740993, "z":-0, "e":1e400,"lone":"\\ud800","__proto__":{"a" : 1},"ü":"🦊" }';
  for (const behave of [onCalls("json"), onCalls("sse")]) {
    upstream.behave = behave;
    const outcome = await caller.call(serverEntry(upstream.url), { arguments: given });
    assert.ok(outcome.response?.includes(`"structuredContent":${given}`));
  }
});

test("delivers a large response, as JSON and as an event", async (t) => {
  const { upstream, caller } = await openRaw(t);
  const given = JSON.stringify({ text: "é".repeat(2 << 20) });
  for (const behave of [onCalls("json"), onCalls("sse")]) {
    upstream.behave = behave;
    const outcome = await caller.call(serverEntry(upstream.url), { arguments: given });
    assert.ok(outcome.response?.includes(given));
  }
});

test("sends only the headers of the gateway (GW-15)", async (t) => {
  const { upstream, caller } = await openRaw(t, { sessions: true, tools: [{ name: "größe" }] });
  const server = serverEntry(upstream.url);
  const bad = ["Mcp-Param-Bad", "a\r\nx-injected: 1", "Authorization", "Bearer x", "Cookie", "a=b"];
  const outcome = await caller.call(server, { tool: "größe", paramHeaders: ["Mcp-Param-Region", "eu", ...bad] });
  assert.equal(outcome.failure, undefined);
  const [modern] = upstream.seen.filter((seen) => seen.method === "tools/call");
  assert.deepEqual(modern?.headers, {
    host: new URL(upstream.url).host,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "accept-encoding": "identity",
    "user-agent": "gatehouse",
    "content-length": String(modern?.body.length),
    "mcp-protocol-version": MCP_2026_07_28,
    "mcp-method": "tools/call",
    "mcp-name": `=?base64?${Buffer.from("größe").toString("base64")}?=`,
    "mcp-param-region": "eu",
  });
  upstream.seen.length = 0;
  await caller.call(server, { era: "legacy", tool: "größe", paramHeaders: ["Mcp-Param-Region", "eu"] });
  const legacy = upstream.seen.find((seen) => seen.method === "tools/call");
  assert.deepEqual(
    Object.keys(legacy?.headers ?? {}).filter((name) => name.startsWith("mcp-")),
    ["mcp-protocol-version", "mcp-session-id"],
  );
});

test("opens one legacy session per server and principal for any number of concurrent calls", async (t) => {
  const { upstream, caller } = await openRaw(t, { eras: "legacy", sessions: true });
  const server = serverEntry(upstream.url, ["legacy"]);
  const principals = Array.from({ length: 20 }, (_, n) => `usr_${n % 2}`);
  const outcomes = await Promise.all(principals.map((principal) => caller.call(server, { principal, era: "legacy" })));
  assert.ok(outcomes.every((outcome) => outcome.failure === undefined));
  assert.equal(upstream.count("initialize"), 2);
  assert.equal(upstream.count("notifications/initialized"), 2);
  const calls = upstream.seen.filter((seen) => seen.method === "tools/call");
  assert.equal(new Set(calls.map((seen) => seen.headers["mcp-session-id"])).size, 2);
  assert.equal(new Set(calls.map((seen) => seen.id)).size, 20);
});

test("opens a lost session again, once, without a failure for the caller", async (t) => {
  const { upstream, caller } = await openRaw(t, { eras: "legacy", sessions: true });
  const server = serverEntry(upstream.url, ["legacy"]);
  await caller.call(server);
  upstream.forgetSessions();
  assert.deepEqual(structured(await caller.call(server, { arguments: '{"n":2}' })), { n: 2 });
  assert.equal(upstream.count("initialize"), 2);
  upstream.behave = onCalls({ status: 404 });
  const outcome = await caller.call(server);
  assert.equal(outcome.failure?.kind, "status");
  assert.equal(upstream.count("initialize"), 3);
});

const failures: [Behaviour, string, RegExp][] = [
  [{ status: 500, body: "secret stack" }, "status", /^Server "echo" answered with HTTP 500$/],
  [{ status: 302, headers: { location: "http://evil" } }, "status", /redirects .* \(HTTP 302\)$/],
  [{ status: 401 }, "unauthorized", /credential \(HTTP 401\)$/],
  [{ status: 403 }, "unauthorized", /HTTP 403/],
  ["reset", "unreachable", /closed the connection/],
  ["reset-mid-body", "unreachable", /closed the connection/],
  ["lying-length", "unreachable", /closed the connection/],
  ["br", "bad-answer", /encoded response/],
  ["oversized", "too-large", /too large/],
  ["huge-length", "too-large", /too large/],
  ["sse-endless", "too-large", /too large/],
  ["wrong-id", "bad-answer", /not MCP/],
  ["not-json", "bad-answer", /not MCP/],
  ["html", "bad-answer", /not MCP/],
  ["sse-cut", "bad-answer", /before the result/],
  ["hang", "timeout", /in time/],
  ["hang-after-headers", "timeout", /in time/],
];

for (const [behaviour, kind, message] of failures) {
  const name = typeof behaviour === "object" && "status" in behaviour ? `HTTP ${behaviour.status}` : String(behaviour);
  for (const era of ["modern", "legacy"] as const) {
    test(`fails a ${era} call as ${kind} when the upstream responds with ${name}, and sends it once (GW-14)`, async (t) => {
      const silenceMs = kind === "timeout" ? 100 : 10_000;
      const limits = { firstByteMs: silenceMs, idleMs: silenceMs };
      const { upstream, caller } = await openRaw(t, { behave: onCalls(behaviour) }, { limits });
      const { failure } = await caller.call(serverEntry(upstream.url, ["modern", "legacy"]), { era });
      assert.equal(failure?.kind, kind);
      assert.match(failure?.message ?? "", message);
      assert.doesNotMatch(failure?.message ?? "", /127\.0\.0\.1|secret|\n/);
      assert.equal(failure?.mayHaveRun, true);
      assert.equal(upstream.count("tools/call"), 1);
      assert.equal(caller.upstreams.stats().calls, 0);
    });
  }
}

test("names the setting, if any, when egress refuses the address, and sends nothing", async (t) => {
  const { upstream, caller } = await openRaw(t, {}, { allow: "" });
  for (const eras of [[], ["modern"]] as const) {
    const { failure } = await caller.call(serverEntry(upstream.url, eras));
    assert.deepEqual([failure?.kind, failure?.mayHaveRun], ["refused", false]);
    assert.match(failure?.message ?? "", /EGRESS_ALLOW/);
  }
  const metadata = await caller.call(serverEntry("http://169.254.169.254/mcp", ["modern"]));
  assert.match(metadata.failure?.message ?? "", /its address is never allowed$/);
  assert.equal(upstream.seen.length, 0);
});

test("tries a refused connection once more, then fails as unreachable", async (t) => {
  const { upstream, caller } = await openRaw(t);
  await upstream.close();
  const { failure } = await caller.call(serverEntry(upstream.url, ["modern"]));
  assert.equal(failure?.kind, "unreachable");
  assert.equal(failure?.mayHaveRun, false);
});

test("replies to requests of the upstream: to ping with a result, to others with an error", async (t) => {
  const { upstream, caller } = await openRaw(t, { sessions: true, behave: onCalls("sse-requests") });
  const outcome = await caller.call(serverEntry(upstream.url), { era: "legacy" });
  assert.equal(outcome.failure, undefined);
  await until(() => upstream.count("response") === 2);
  const answers = upstream.seen.filter((seen) => seen.method === "response");
  assert.deepEqual(answers.map((seen) => seen.body.toString()).sort(), [
    '{"jsonrpc":"2.0","id":"p-1","result":{}}',
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found"}}',
  ]);
  assert.ok(answers.every((seen) => String(seen.headers["mcp-session-id"]).startsWith("session-")));
});

test("limits the pending replies to an upstream that sends requests endlessly (GW-10)", async (t) => {
  const behave = ({ method }: SeenRequest) =>
    method === "tools/call" ? "sse-pings" : method === "response" ? "hang" : "json";
  const { upstream, caller } = await openRaw(t, { eras: "legacy", behave });
  assert.equal((await caller.call(serverEntry(upstream.url), { era: "legacy" })).failure, undefined);
  await until(() => upstream.count("response") === 16);
  assert.equal((await caller.call(serverEntry(upstream.url), { era: "legacy" })).failure, undefined);
  await until(() => upstream.count("response") === 32);
});

test("resumes a stream that the server closed early", async (t) => {
  const { upstream, caller } = await openRaw(t, { eras: "legacy", behave: onCalls("sse-resume") });
  const outcome = await caller.call(serverEntry(upstream.url), { era: "legacy" });
  assert.match(outcome.response ?? "", /"resumed":true/);
  assert.equal(upstream.count("tools/call"), 1);
  const resumed = upstream.seen.find((seen) => seen.httpMethod === "GET");
  assert.ok(resumed?.headers["last-event-id"]);
});

for (const answer of ["reset", { status: 404 }, { status: 405 }] as const) {
  test(`fails a call whose stream cannot be resumed, without repeating it (${JSON.stringify(answer)})`, async (t) => {
    const behave = (seen: SeenRequest) => (seen.httpMethod === "GET" ? answer : onCalls("sse-resume")(seen));
    const { upstream, caller } = await openRaw(t, { eras: "legacy", sessions: true, behave });
    const { failure } = await caller.call(serverEntry(upstream.url, ["legacy"]));
    assert.equal(failure?.mayHaveRun, true);
    assert.equal(upstream.count("tools/call"), 1);
    assert.equal(upstream.count("initialize"), 1);
  });
}

test("does not deliver messages of another call on the same stream (GW-2)", async (t) => {
  const { upstream, caller } = await openRaw(t, { behave: onCalls("sse-foreign") });
  const outcome = await caller.call(serverEntry(upstream.url), { arguments: '{"n":1}' });
  assert.deepEqual(structured(outcome), { n: 1 });
  assert.deepEqual(outcome.notifications, []);
});

test("reports after a failed handshake that the call was not executed", async (t) => {
  const { upstream, caller } = await openRaw(t, { behave: () => ({ status: 500 }) });
  const { failure } = await caller.call(serverEntry(upstream.url));
  assert.deepEqual([failure?.kind, failure?.status, failure?.mayHaveRun], ["status", 500, false]);
});

test("cancels a legacy call with a notification and a modern one by closing its stream (GW-13)", async (t) => {
  const { upstream, caller } = await openRaw(t, { behave: onCalls("hang-after-headers") });
  for (const era of ["legacy", "modern"] as const) {
    upstream.seen.length = 0;
    const call = caller.call(serverEntry(upstream.url), { era });
    await until(() => upstream.seen.some((seen) => seen.method === "tools/call"));
    call.handle.cancel();
    const seen = upstream.seen.find(({ method }) => method === "tools/call");
    await until(() => seen?.aborted === true);
    if (era === "legacy") await until(() => upstream.count("notifications/cancelled") === 1);
    assert.equal(caller.upstreams.stats().calls, 0);
  }
  const [cancelled] = upstream.seen.filter(({ method }) => method === "notifications/cancelled");
  assert.equal(cancelled, undefined, "no notification in the modern era");
});

for (const eras of [[], ["modern"]] as const) {
  test(`never sends a call that was canceled before (eras: ${eras})`, async (t) => {
    const { upstream, caller } = await openRaw(t);
    const server = serverEntry(upstream.url, eras);
    caller.call(server).handle.cancel();
    assert.deepEqual(structured(await caller.call(server, { arguments: '{"n":2}' })), { n: 2 });
    assert.equal(upstream.count("tools/call"), 1);
    await until(() => caller.upstreams.stats().calls === 0);
  });
}

test("fails open calls and ends the sessions on close", async () => {
  const upstream = await startRawUpstream({ eras: "legacy", sessions: true });
  const caller = createCaller();
  const server = serverEntry(upstream.url);
  await caller.call(server);
  upstream.behave = onCalls("hang");
  const call = caller.call(server);
  await until(() => upstream.count("tools/call") === 2);
  await caller.close();
  assert.equal((await call).failure?.kind, "cancelled");
  assert.ok(upstream.seen.some((seen) => seen.httpMethod === "DELETE"));
  await upstream.close();
});

test("fails with a clear message for a server without an upstream", async (t) => {
  const { caller } = await openRaw(t);
  const { failure } = await caller.call({ ...serverEntry("http://x"), upstream: undefined });
  assert.equal(failure?.message, 'Server "echo" has no upstream yet');
});

test("stops reading while a call is paused, which limits the memory for a slow caller (GW-10)", async (t) => {
  const { upstream, caller } = await openRaw(t, { behave: onCalls("sse-flood") });
  const call = caller.call(serverEntry(upstream.url, ["modern"]));
  await until(() => call.notifications.length > 0);
  call.handle.pause();
  const received = call.notifications.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(call.notifications.length - received <= 4, "what was already read, and no more");
  call.handle.resume();
  await until(() => call.notifications.length > received + 20);
  call.handle.cancel();
});

test("delivers each response to its caller despite delays and cancellations (GW-2)", async (t) => {
  for (const eras of ["modern", "legacy"] as const) {
    const options = { eras, sessions: true, delayMs: (n: number) => (n * 7) % 11 };
    const { upstream, caller } = await openRaw(t, options, { limits: { concurrentCalls: 300 } });
    const server = serverEntry(upstream.url, [eras]);
    const calls = Array.from({ length: 300 }, (_, n) => ({
      n,
      call: caller.call(server, { principal: `usr_${n % 10}`, arguments: `{"n":${n}}` }),
    }));
    const cancelled = calls.filter(({ n }) => n % 20 === 3);
    for (const { call } of cancelled) call.handle.cancel();
    for (const { n, call } of calls) {
      if (n % 20 !== 3) assert.deepEqual(structured(await call), { n });
    }
    await until(() => caller.upstreams.stats().calls === 0);
  }
});
