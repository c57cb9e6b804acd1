import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type CallerOptions, createCaller, type Outcome, serverEntry, until } from "#test/upstreams/caller";
import { type EventStreamUpstreamOptions, startEventStreamUpstream } from "#test/upstreams/event-stream";
import { createMovingClock } from "#test/upstreams/moving-clock";
import { startRawUpstream } from "#test/upstreams/raw";
import type { UpstreamEntry } from "../../snapshot/shape.ts";

const MINUTE = 60_000;

async function setUp(t: TestContext, options: EventStreamUpstreamOptions = {}, callerOptions: CallerOptions = {}) {
  const upstream = await startEventStreamUpstream(options);
  const caller = createCaller(callerOptions);
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  return { upstream, caller, server: entryOf(upstream.url) };
}

function entryOf(url: string, transport: UpstreamEntry["transport"] = "sse") {
  return { ...serverEntry(url), upstream: { url, transport, authType: "none", eras: [] } as const };
}

function structured(outcome: Outcome): unknown {
  assert.equal(outcome.failure, undefined);
  return JSON.parse(outcome.response ?? "").result.structuredContent;
}

for (const era of ["modern", "legacy"] as const) {
  test(`serves a ${era} caller over HTTP+SSE, with progress, on one stream`, async (t) => {
    const { upstream, caller, server } = await setUp(t);
    assert.deepEqual(structured(await caller.call(server, { era, arguments: '{"word":"Grüße"}' })), { word: "Grüße" });
    const stepped = await caller.call(server, { era, tool: "progress" });
    assert.equal(stepped.notifications.length, 2);
    assert.match(stepped.response ?? "", /"done"/);
    assert.equal(upstream.executions(), 2);
    assert.deepEqual(upstream.asked, ["GET"]);
    assert.deepEqual(
      upstream.seen.map((seen) => seen.method),
      ["initialize", "notifications/initialized", "tools/call", "tools/call"],
    );
    assert.deepEqual(caller.upstreams.stats(), { calls: 0, sessions: 1 });
  });
}

test("opens one stream per principal for any number of concurrent calls, with the right response for each", async (t) => {
  const { upstream, caller, server } = await setUp(t, { delayMs: (n) => (n * 7) % 11 });
  const calls = Array.from({ length: 60 }, (_, n) => ({
    n,
    call: caller.call(server, { principal: `usr_${n % 3}`, arguments: `{"n":${n}}` }),
  }));
  for (const { n, call } of calls) assert.deepEqual(structured(await call), { n });
  assert.equal(upstream.streams.size, 3);
  assert.equal(upstream.count("initialize"), 3);
  assert.equal(upstream.executions(), 60);
});

test("both: falls back to HTTP+SSE and remembers that", async (t) => {
  for (const postStatus of [400, 404, 405]) {
    const { upstream, caller } = await setUp(t, { postStatus });
    const server = entryOf(upstream.url, "both");
    assert.deepEqual(structured(await caller.call(server, { arguments: '{"n":1}' })), { n: 1 });
    const asked = upstream.asked.length;
    assert.equal(upstream.asked.at(-1), "GET");
    for (const principal of ["usr_1", "usr_2"]) await caller.call(server, { principal });
    assert.deepEqual(upstream.asked.slice(asked), ["GET"], "the stream of the other principal");
  }
});

test("both: tries streamable HTTP again after a day", async (t) => {
  const clock = createMovingClock();
  const { upstream, caller } = await setUp(t, {}, { clock });
  const server = entryOf(upstream.url, "both");
  await caller.call(server);
  clock.advance(23 * 60 * MINUTE);
  await caller.call(server, { principal: "usr_2" });
  const asked = upstream.asked.length;
  clock.advance(2 * 60 * MINUTE);
  assert.equal((await caller.call(server, { principal: "usr_3" })).failure, undefined);
  assert.ok(upstream.asked.slice(asked).includes("POST"));
});

test("both: prefers streamable HTTP", async (t) => {
  const upstream = await startRawUpstream();
  const caller = createCaller();
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  assert.equal((await caller.call(entryOf(upstream.url, "both"))).failure, undefined);
  assert.ok(upstream.seen.every((seen) => seen.httpMethod === "POST"));
});

test("fails with a clear message for a URL without an event stream, and sends no call", async (t) => {
  const upstream = await startRawUpstream();
  const caller = createCaller();
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  const { failure } = await caller.call(entryOf(upstream.url));
  assert.equal(failure?.message, 'Server "echo" does not support MCP over HTTP+SSE at its URL');
  assert.equal(failure?.mayHaveRun, false);
});

for (const endpoint of ["http://127.0.0.1:1/messages", "https://evil.example/x", "//evil.example/", "http://a:b@x/"]) {
  test(`rejects a URL of another origin to post to: ${endpoint}`, async (t) => {
    const { upstream, caller, server } = await setUp(t, { endpoint: () => endpoint });
    const { failure } = await caller.call(server);
    assert.equal(failure?.message, 'Server "echo" sent a URL to post to that has another origin');
    assert.equal(failure?.mayHaveRun, false);
    await until(() => upstream.streams.size === 0);
    assert.equal(upstream.seen.length, 0);
  });
}

test("accepts an absolute URL of the same origin", async (t) => {
  const own: { url?: string } = {};
  const { upstream, caller, server } = await setUp(t, {
    endpoint: (id) => new URL(`/messages?session=${id}`, own.url).href,
  });
  own.url = upstream.url;
  assert.equal((await caller.call(server)).failure, undefined);
});

test("fails the open calls of a lost stream without repeating them, and opens another for the next call (GW-14)", async (t) => {
  const { upstream, caller, server } = await setUp(t, { delayMs: (n) => (n < 3 ? 60_000 : 0) });
  const calls = [caller.call(server), caller.call(server)];
  await until(() => upstream.executions() === 2);
  upstream.drop();
  for (const { failure } of await Promise.all(calls)) {
    assert.equal(failure?.kind, "unreachable");
    assert.equal(failure?.mayHaveRun, true);
  }
  assert.equal(caller.upstreams.stats().sessions, 0);
  assert.deepEqual(structured(await caller.call(server, { arguments: '{"n":2}' })), { n: 2 });
  assert.equal(upstream.count("tools/call"), 3);
});

test("opens a lost session again, once, without a failure for the caller", async (t) => {
  const { upstream, caller, server } = await setUp(t);
  await caller.call(server);
  const refused: string[] = [];
  upstream.refusePosts = (method) => (method === "tools/call" && refused.push(method) === 1 ? 404 : undefined);
  assert.deepEqual(structured(await caller.call(server, { arguments: '{"n":2}' })), { n: 2 });
  assert.equal(upstream.count("initialize"), 2);
  upstream.refusePosts = (method) => (method === "tools/call" ? 404 : undefined);
  assert.equal((await caller.call(server)).failure?.kind, "unreachable");
  assert.equal(upstream.executions(), 2);
  await until(() => upstream.streams.size <= 1);
});

test("fails only the call of a refused message, with a clear message", async (t) => {
  const { upstream, caller, server } = await setUp(t, { delayMs: (n) => (n === 1 ? 50 : 0) });
  const other = caller.call(server, { arguments: '{"n":1}' });
  await until(() => upstream.executions() === 1);
  upstream.refusePosts = () => 500;
  const { failure } = await caller.call(server);
  assert.deepEqual([failure?.kind, failure?.status, failure?.mayHaveRun], ["status", 500, true]);
  assert.deepEqual(structured(await other), { n: 1 });
});

test("reports a 401 for the stream as unauthorized", async (t) => {
  const upstream = await startRawUpstream({ behave: () => ({ status: 401 }) });
  const caller = createCaller();
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  assert.equal((await caller.call(entryOf(upstream.url))).failure?.kind, "unauthorized");
});

test("delivers nothing that is not MCP or names no request (GW-2)", async (t) => {
  const { upstream, caller, server } = await setUp(t, { delayMs: () => 30 });
  const call = caller.call(server, { arguments: '{"n":1}' });
  await until(() => upstream.executions() === 1);
  upstream.say(
    ': hello\n\nevent: other\ndata: {}\n\ndata: not json\n\ndata: {"jsonrpc":"2.0","id":999,"result":{}}\n\n',
  );
  upstream.say('data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}\n\n');
  upstream.say("event: endpoint\ndata: http://evil.example/\n\n");
  const outcome = await call;
  assert.deepEqual(structured(outcome), { n: 1 });
  assert.deepEqual(outcome.notifications, []);
});

test("replies to requests of the upstream: to ping with a result, to others with an error", async (t) => {
  const { upstream, caller, server } = await setUp(t);
  await caller.call(server);
  upstream.say('data: {"jsonrpc":"2.0","id":"p-1","method":"ping"}\n\ndata: {"jsonrpc":"2.0","id":7,"method":"x"}\n\n');
  await until(() => upstream.count("response") === 2);
});

test("ends the stream and its calls after an event that is too large (GW-10)", async (t) => {
  const { upstream, caller, server } = await setUp(t, { delayMs: () => 60_000 }, { maxAnswerBytes: 65_536 });
  const call = caller.call(server);
  await until(() => upstream.executions() === 1);
  upstream.say(`data: ${"x".repeat(70_000)}`);
  assert.equal((await call).failure?.kind, "too-large");
  await until(() => upstream.streams.size === 0);
});

test("fails a call with a timeout when the upstream sends nothing, notifies it, and opens a new stream", async (t) => {
  const { upstream, caller, server } = await setUp(
    t,
    { delayMs: (n) => (n === 1 ? 60_000 : 0) },
    // Long enough for the next call on a busy machine.
    { limits: { idleMs: 2_000 } },
  );
  const { failure } = await caller.call(server);
  assert.equal(failure?.kind, "timeout");
  assert.equal(failure?.mayHaveRun, true);
  await until(() => upstream.count("notifications/cancelled") === 1 && upstream.streams.size === 0);
  assert.equal((await caller.call(server)).failure, undefined);
});

test("notifies the upstream of a cancellation and serves the next call (GW-13)", async (t) => {
  const { upstream, caller, server } = await setUp(t, { delayMs: (n) => (n === 1 ? 60_000 : 0) });
  const call = caller.call(server);
  await until(() => upstream.executions() === 1);
  call.handle.cancel();
  await until(() => upstream.aborts() === 1);
  assert.deepEqual(structured(await caller.call(server, { arguments: '{"n":2}' })), { n: 2 });
  assert.equal(caller.upstreams.stats().calls, 0);
});

test("closes a stream that is unused for ten minutes, and keeps one in use", async (t) => {
  const clock = createMovingClock();
  const { upstream, caller, server } = await setUp(t, {}, { clock });
  await caller.call(server, { principal: "usr_idle" });
  await caller.call(server, { principal: "usr_busy" });
  clock.advance(6 * MINUTE);
  await caller.call(server, { principal: "usr_busy" });
  clock.advance(5 * MINUTE);
  await until(() => upstream.streams.size === 1);
  assert.equal(caller.upstreams.stats().sessions, 1);
});

test("opens at most 128 streams per origin and closes the least recently used one", async (t) => {
  const { upstream, caller, server } = await setUp(t);
  for (let n = 0; n < 130; n++) await caller.call(server, { principal: `usr_${n}` });
  await until(() => upstream.streams.size === 128);
});

test("closes the streams with the gateway", async () => {
  const upstream = await startEventStreamUpstream({ delayMs: () => 60_000 });
  const caller = createCaller();
  const call = caller.call(entryOf(upstream.url));
  await until(() => upstream.executions() === 1);
  await caller.close();
  assert.equal((await call).failure?.kind, "cancelled");
  await until(() => upstream.streams.size === 0);
  await upstream.close();
});
