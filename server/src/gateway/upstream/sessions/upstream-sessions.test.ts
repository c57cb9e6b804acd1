import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createCaller, serverEntry, until } from "#test/upstreams/caller";
import { createMovingClock } from "#test/upstreams/moving-clock";
import { type RawUpstreamOptions, startRawUpstream } from "#test/upstreams/raw";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function setUp(t: TestContext, options: RawUpstreamOptions = {}) {
  const upstream = await startRawUpstream(options);
  const clock = createMovingClock();
  const caller = createCaller({ clock });
  t.after(async () => {
    upstream.behave = () => "json";
    const closed = caller.close();
    clock.advance(MINUTE);
    await closed;
    await upstream.close();
  });
  return { upstream, caller, clock };
}

test("sends a call without a handshake when the recorded eras allow it", async (t) => {
  const { upstream, caller } = await setUp(t);
  await caller.call(serverEntry(upstream.url, ["modern"]), { era: "legacy" });
  assert.deepEqual(
    upstream.seen.map((seen) => seen.method),
    ["tools/call"],
  );
});

test("reports the set of eras when both are known", async (t) => {
  const { upstream, caller } = await setUp(t);
  const server = serverEntry(upstream.url);
  await caller.call(server, { era: "modern" });
  assert.equal(caller.observed.length, 0);
  await caller.call(server, { era: "legacy" });
  assert.deepEqual(
    caller.observed.map((eras) => [...eras].sort()),
    [["legacy", "modern"]],
  );
});

test("learns nothing about eras from 401 and 403", async (t) => {
  const { upstream, caller } = await setUp(t, { behave: () => ({ status: 401 }) });
  const server = serverEntry(upstream.url);
  assert.equal((await caller.call(server)).failure?.kind, "unauthorized");
  upstream.behave = () => "json";
  assert.equal((await caller.call(server)).failure, undefined);
  assert.equal(upstream.count("initialize"), 0, "the first answer did not make it a legacy server");
});

test("sends the call in the other era when the upstream refuses the first", async (t) => {
  const { upstream, caller } = await setUp(t, { eras: "modern" });
  const server = serverEntry(upstream.url, ["modern", "legacy"]);
  assert.equal((await caller.call(server, { era: "legacy" })).failure, undefined);
  assert.deepEqual(caller.observed, [["modern"]]);
});

test("detects on the next call that a modern upstream became a legacy one", async (t) => {
  const { upstream, caller } = await setUp(t, { eras: "legacy" });
  const server = serverEntry(upstream.url, ["modern"]);
  const first = await caller.call(server);
  assert.equal(first.failure?.kind, undefined, "its JSON-RPC error is an answer");
  upstream.behave = (seen) => (seen.era === "modern" ? { status: 400, body: "what?" } : "json");
  assert.equal((await caller.call(server)).failure?.kind, "status");
  assert.equal((await caller.call(server)).failure, undefined);
  assert.equal(upstream.count("initialize"), 1);
});

test("sends the call again in the other era after a refused version", async (t) => {
  const { upstream, caller } = await setUp(t);
  const server = serverEntry(upstream.url, ["modern"]);
  upstream.behave = (seen) =>
    seen.era === "modern"
      ? { status: 400, body: `{"jsonrpc":"2.0","id":${seen.id},"error":{"code":-32022,"message":"no"}}` }
      : "json";
  assert.equal((await caller.call(server)).failure, undefined);
  assert.equal(upstream.count("initialize"), 1);
});

test("checks the modern era again after a day", async (t) => {
  const { upstream, caller, clock } = await setUp(t);
  const server = serverEntry(upstream.url, ["legacy"]);
  await caller.call(server, { era: "modern" });
  clock.advance(23 * HOUR);
  await caller.call(server, { era: "modern" });
  assert.equal(upstream.count("server/discover"), 0);
  clock.advance(2 * HOUR);
  await caller.call(server, { era: "modern" });
  await until(() => caller.observed.length === 1);
  upstream.seen.length = 0;
  await caller.call(server, { era: "modern" });
  assert.equal(upstream.seen[0]?.era, "modern");
});

test("uses the legacy era of a server that fails at server/discover, and does not try again for a day", async (t) => {
  const { upstream, caller } = await setUp(t, {
    eras: "legacy",
    behave: ({ method }) => (method === "server/discover" ? { status: 500, body: "oops" } : "json"),
  });
  const server = serverEntry(upstream.url, []);
  for (let n = 0; n < 2; n++) assert.equal((await caller.call(server, { era: "modern" })).failure, undefined);
  assert.deepEqual([upstream.count("server/discover"), upstream.count("initialize")], [1, 1]);
});

test("reports the failure of a server that is down in both eras, and asks it again", async (t) => {
  const { upstream, caller } = await setUp(t, { eras: "modern", behave: () => ({ status: 503 }) });
  const server = serverEntry(upstream.url, []);
  assert.match((await caller.call(server, { era: "modern" })).failure?.message ?? "", /HTTP 503/);
  upstream.behave = () => "json";
  assert.equal((await caller.call(server, { era: "modern" })).failure, undefined);
  assert.equal(upstream.seen.at(-1)?.era, "modern");
});

test("uses a version that the server names when it refuses ours", async (t) => {
  const { upstream, caller } = await setUp(t, {
    eras: "legacy",
    behave: ({ method, id, body }) => {
      if (method !== "initialize" || body.includes("2025-03-26")) return "json";
      const data = '{"supported":["2025-03-26","2024-11-05"],"requested":"?"}';
      const error = `{"code":-32022,"message":"Unsupported protocol version","data":${data}}`;
      return { status: 400, body: `{"jsonrpc":"2.0","id":${id},"error":${error}}` };
    },
  });
  assert.equal((await caller.call(serverEntry(upstream.url, ["legacy"]), { era: "legacy" })).failure, undefined);
  assert.equal(upstream.count("initialize"), 2);
  assert.equal(upstream.seen.at(-1)?.headers["mcp-protocol-version"], "2025-03-26");
});

test("performs a new handshake when the URL of a server changes", async (t) => {
  const { upstream, caller } = await setUp(t, { eras: "legacy", sessions: true });
  const other = await startRawUpstream({ eras: "modern" });
  t.after(() => other.close());
  assert.equal((await caller.call(serverEntry(upstream.url))).failure, undefined);
  assert.equal((await caller.call(serverEntry(other.url))).failure, undefined);
  assert.equal(other.count("tools/call"), 1);
  await until(() => upstream.seen.some((seen) => seen.httpMethod === "DELETE"));
});

test("ends a session that is unused for half an hour, and keeps one in use", async (t) => {
  const { upstream, caller, clock } = await setUp(t, { eras: "legacy", sessions: true });
  const server = serverEntry(upstream.url, ["legacy"]);
  await caller.call(server, { principal: "usr_idle" });
  await caller.call(server, { principal: "usr_busy" });
  clock.advance(20 * MINUTE);
  await caller.call(server, { principal: "usr_busy" });
  clock.advance(10 * MINUTE);
  assert.equal(caller.upstreams.stats().sessions, 1);
  await until(() => upstream.seen.some((seen) => seen.httpMethod === "DELETE"));
});

test("stops a call after 15 minutes", async (t) => {
  const { upstream, caller, clock } = await setUp(t, {
    behave: (seen) => (seen.method === "tools/call" ? "hang-after-headers" : "json"),
  });
  const call = caller.call(serverEntry(upstream.url, ["modern"]));
  await until(() => upstream.count("tools/call") === 1);
  clock.advance(14 * MINUTE);
  assert.equal(caller.upstreams.stats().calls, 1);
  clock.advance(2 * MINUTE);
  const { failure } = await call;
  assert.equal(failure?.kind, "timeout");
  assert.equal(failure?.message, 'Server "echo" did not finish within 900 s');
});

test("does not repeat a call whose upstream is gone before its stream is resumed", async (t) => {
  const { upstream, caller, clock } = await setUp(t, {
    eras: "legacy",
    behave: (seen) => (seen.method === "tools/call" ? "sse-resume" : "json"),
  });
  let settled = false;
  const call = caller.call(serverEntry(upstream.url, ["legacy"]));
  const outcome = call.finally(() => {
    settled = true;
  });
  await until(() => upstream.seen.some((seen) => seen.method === "tools/call" && seen.answered));
  await upstream.close();
  await until(() => {
    clock.advance(50);
    return settled;
  });
  assert.equal((await outcome).failure?.mayHaveRun, true);
});

test("fails with a clear message for a page that is not an MCP server, and tries again on the next call", async (t) => {
  const { upstream, caller } = await setUp(t, { behave: () => "html" });
  const server = serverEntry(upstream.url);
  const { failure } = await caller.call(server);
  assert.equal(failure?.kind, "bad-answer");
  assert.match(failure?.message ?? "", /does not support MCP/);
  upstream.behave = () => "json";
  assert.equal((await caller.call(server)).failure, undefined);
});
