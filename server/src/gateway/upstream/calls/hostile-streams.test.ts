import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createCaller, serverEntry, until } from "#test/upstreams/caller";
import { startEventStreamUpstream } from "#test/upstreams/event-stream";
import { HOSTILE_ANSWERS, SECRET } from "#test/upstreams/hostile-answers";
import { startRawUpstream } from "#test/upstreams/raw";

function entryOf(url: string, id = "srv_echo") {
  return { ...serverEntry(url), id, upstream: { url, transport: "sse", authType: "none", eras: [] } as const };
}

function callerOf(t: TestContext, upstream: { close(): Promise<void> }) {
  const caller = createCaller();
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  return caller;
}

/** GW-22: the message names the server, but neither its text nor its URL. */
function assertInWords(message: string | undefined): void {
  assert.match(message ?? "", /^Server "echo" [a-z]/);
  for (const leak of [SECRET, "127.0.0.1", "node:"]) assert.equal(message?.includes(leak), false, message);
}

test("fails with a clear message for any hostile response to the event stream, and sends no call (GW-9, GW-10)", async (t) => {
  const upstream = await startRawUpstream();
  const caller = callerOf(t, upstream);
  for (const { what, answer: raw } of HOSTILE_ANSWERS) {
    await t.test(what, async () => {
      upstream.behave = () => ({ raw });
      const asked = upstream.seen.length;
      // A separate server for each: one that fails repeatedly would be paused.
      const { failure } = await caller.call(entryOf(upstream.url, `srv_${what}`));
      assert.ok(upstream.seen.length > asked);
      assertInWords(failure?.message);
      assert.equal(failure?.mayHaveRun, false);
      assert.deepEqual(caller.upstreams.stats(), { calls: 0, sessions: 0 });
    });
  }
  assert.ok(upstream.seen.every(({ httpMethod }) => httpMethod === "GET"));
});

test("executes a message at most once for any hostile response to it, reports it once, and serves the next one (GW-14)", async (t) => {
  const upstream = await startEventStreamUpstream();
  const caller = callerOf(t, upstream);
  const server = entryOf(upstream.url);
  for (const { what, answer } of HOSTILE_ANSWERS) {
    await t.test(what, async () => {
      const executed = upstream.executions();
      upstream.takePosts = (method) => (method === "tools/call" ? answer : undefined);
      const { failure, response } = await caller.call(server);
      upstream.takePosts = undefined;
      if (failure) assertInWords(failure.message);
      else assert.ok(response?.includes('"result"') && !response.includes(SECRET), response);
      await until(() => caller.upstreams.stats().calls === 0);
      assert.ok(upstream.executions() - executed <= 1);
      assert.equal((await caller.call(server)).failure, undefined);
    });
  }
});
