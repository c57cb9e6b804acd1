import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type CallerOptions, createCaller, type Outcome, serverEntry, until } from "#test/upstreams/caller";
import { type EventStreamUpstreamOptions, startEventStreamUpstream } from "#test/upstreams/event-stream";
import { createMovingClock } from "#test/upstreams/moving-clock";
import { startRawUpstream } from "#test/upstreams/raw";
import type { UpstreamEntry } from "../../snapshot/shape.ts";

const MINUTE = 60_000;

async function world(t: TestContext, options: EventStreamUpstreamOptions = {}, callerOptions: CallerOptions = {}) {
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
  test(`a ${era} caller is served over HTTP+SSE, with progress, on one stream`, async (t) => {
    const { upstream, caller, server } = await world(t);
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

test("streams are one per principal, opened once however many ask at once, and every caller gets its own answer", async (t) => {
  const { upstream, caller, server } = await world(t, { delayMs: (n) => (n * 7) % 11 });
  const calls = Array.from({ length: 60 }, (_, n) => ({
    n,
    call: caller.call(server, { principal: `usr_${n % 3}`, arguments: `{"n":${n}}` }),
  }));
  for (const { n, call } of calls) assert.deepEqual(structured(await call), { n });
  assert.equal(upstream.streams.size, 3);
  assert.equal(upstream.count("initialize"), 3);
  assert.equal(upstream.executions(), 60);
});

test("both: HTTP+SSE is spoken where streamable HTTP is not, and not asked for again at each call", async (t) => {
  for (const postStatus of [400, 404, 405]) {
    const { upstream, caller } = await world(t, { postStatus });
    const server = entryOf(upstream.url, "both");
    assert.deepEqual(structured(await caller.call(server, { arguments: '{"n":1}' })), { n: 1 });
    const asked = upstream.asked.length;
    assert.equal(upstream.asked.at(-1), "GET");
    for (const principal of ["usr_1", "usr_2"]) await caller.call(server, { principal });
    assert.deepEqual(upstream.asked.slice(asked), ["GET"], "the stream of the other principal");
  }
});

test("both: the verdict is looked at again after a day", async (t) => {
  const clock = createMovingClock();
  const { upstream, caller } = await world(t, {}, { clock });
  const server = entryOf(upstream.url, "both");
  await caller.call(server);
  clock.advance(23 * 60 * MINUTE);
  await caller.call(server, { principal: "usr_2" });
  const asked = upstream.asked.length;
  clock.advance(2 * 60 * MINUTE);
  assert.equal((await caller.call(server, { principal: "usr_3" })).failure, undefined);
  assert.ok(upstream.asked.slice(asked).includes("POST"));
});

test("both: streamable HTTP is used where it is spoken", async (t) => {
  const upstream = await startRawUpstream();
  const caller = createCaller();
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  assert.equal((await caller.call(entryOf(upstream.url, "both"))).failure, undefined);
  assert.ok(upstream.seen.every((seen) => seen.httpMethod === "POST"));
});

test("an address without an event stream fails in words, and nothing is called", async (t) => {
  const upstream = await startRawUpstream();
  const caller = createCaller();
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  const { failure } = await caller.call(entryOf(upstream.url));
  assert.equal(failure?.message, 'Server "echo" does not speak MCP over HTTP+SSE at its URL');
  assert.equal(failure?.mayHaveRun, false);
});

for (const endpoint of ["http://127.0.0.1:1/messages", "https://evil.example/x", "//evil.example/", "http://a:b@x/"]) {
  test(`an address to post to of another origin is refused: ${endpoint}`, async (t) => {
    const { upstream, caller, server } = await world(t, { endpoint: () => endpoint });
    const { failure } = await caller.call(server);
    assert.equal(failure?.message, 'Server "echo" names an address to post to that is not its own');
    assert.equal(failure?.mayHaveRun, false);
    await until(() => upstream.streams.size === 0);
    assert.equal(upstream.seen.length, 0);
  });
}

test("an absolute address of its own origin is taken", async (t) => {
  const own: { url?: string } = {};
  const { upstream, caller, server } = await world(t, {
    endpoint: (id) => new URL(`/messages?session=${id}`, own.url).href,
  });
  own.url = upstream.url;
  assert.equal((await caller.call(server)).failure, undefined);
});

test("a lost stream fails the calls under way, which are not repeated; the next call opens another (GW-14)", async (t) => {
  const { upstream, caller, server } = await world(t, { delayMs: (n) => (n < 3 ? 60_000 : 0) });
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

test("a session that the upstream forgot is opened again, once, without the caller's notice", async (t) => {
  const { upstream, caller, server } = await world(t);
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

test("a refused message fails its call alone, in words", async (t) => {
  const { upstream, caller, server } = await world(t, { delayMs: (n) => (n === 1 ? 50 : 0) });
  const other = caller.call(server, { arguments: '{"n":1}' });
  await until(() => upstream.executions() === 1);
  upstream.refusePosts = () => 500;
  const { failure } = await caller.call(server);
  assert.deepEqual([failure?.kind, failure?.status, failure?.mayHaveRun], ["status", 500, true]);
  assert.deepEqual(structured(await other), { n: 1 });
});

test("401 at the stream is told as such", async (t) => {
  const upstream = await startRawUpstream({ behave: () => ({ status: 401 }) });
  const caller = createCaller();
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  assert.equal((await caller.call(entryOf(upstream.url))).failure?.kind, "unauthorized");
});

test("what is not MCP, or names no request, is handed to nobody (GW-2)", async (t) => {
  const { upstream, caller, server } = await world(t, { delayMs: () => 30 });
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

test("an upstream's requests are answered: ping with a result, anything else with an error", async (t) => {
  const { upstream, caller, server } = await world(t);
  await caller.call(server);
  upstream.say('data: {"jsonrpc":"2.0","id":"p-1","method":"ping"}\n\ndata: {"jsonrpc":"2.0","id":7,"method":"x"}\n\n');
  await until(() => upstream.count("response") === 2);
});

test("an event beyond the cap ends the stream and the calls on it (GW-10)", async (t) => {
  const { upstream, caller, server } = await world(t, { delayMs: () => 60_000 }, { maxAnswerBytes: 65_536 });
  const call = caller.call(server);
  await until(() => upstream.executions() === 1);
  upstream.say(`data: ${"x".repeat(70_000)}`);
  assert.equal((await call).failure?.kind, "too-large");
  await until(() => upstream.streams.size === 0);
});

test("an upstream that falls silent fails its call as timeout, is told so, and gets a new stream", async (t) => {
  const { upstream, caller, server } = await world(
    t,
    { delayMs: (n) => (n === 1 ? 60_000 : 0) },
    { limits: { idleMs: 100 } },
  );
  const { failure } = await caller.call(server);
  assert.equal(failure?.kind, "timeout");
  assert.equal(failure?.mayHaveRun, true);
  await until(() => upstream.count("notifications/cancelled") === 1 && upstream.streams.size === 0);
  assert.equal((await caller.call(server)).failure, undefined);
});

test("cancelling tells the upstream, and the next call on the pipe is served (GW-13)", async (t) => {
  const { upstream, caller, server } = await world(t, { delayMs: (n) => (n === 1 ? 60_000 : 0) });
  const call = caller.call(server);
  await until(() => upstream.executions() === 1);
  call.handle.cancel();
  await until(() => upstream.aborts() === 1);
  assert.deepEqual(structured(await caller.call(server, { arguments: '{"n":2}' })), { n: 2 });
  assert.equal(caller.upstreams.stats().calls, 0);
});

test("a stream that nobody uses for ten minutes is closed, one in use is not", async (t) => {
  const clock = createMovingClock();
  const { upstream, caller, server } = await world(t, {}, { clock });
  await caller.call(server, { principal: "usr_idle" });
  await caller.call(server, { principal: "usr_busy" });
  clock.advance(6 * MINUTE);
  await caller.call(server, { principal: "usr_busy" });
  clock.advance(5 * MINUTE);
  await until(() => upstream.streams.size === 1);
  assert.equal(caller.upstreams.stats().sessions, 1);
});

test("one origin gets no more than 128 streams: the one unused longest makes room", async (t) => {
  const { upstream, caller, server } = await world(t);
  for (let n = 0; n < 130; n++) await caller.call(server, { principal: `usr_${n}` });
  await until(() => upstream.streams.size === 128);
});

test("closing the gateway closes the streams", async () => {
  const upstream = await startEventStreamUpstream({ delayMs: () => 60_000 });
  const caller = createCaller();
  const call = caller.call(entryOf(upstream.url));
  await until(() => upstream.executions() === 1);
  await caller.close();
  assert.equal((await call).failure?.kind, "cancelled");
  await until(() => upstream.streams.size === 0);
  await upstream.close();
});
