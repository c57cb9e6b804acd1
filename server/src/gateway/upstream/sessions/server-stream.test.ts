import assert from "node:assert/strict";
import { test } from "node:test";
import { MCP_2025_11_25 } from "#test/gateway-kit";
import { createCaller, serverEntry, until } from "#test/upstreams/caller";
import { createMovingClock } from "#test/upstreams/moving-clock";
import { startRawUpstream } from "#test/upstreams/raw";

const sessionOf = (id: string) =>
  ({ id, userId: "usr_1", version: MCP_2025_11_25, capabilities: { roots: {} } }) as const;

test("retries a stream that another process has with growing delays after a process is gone", async (t) => {
  const clock = createMovingClock();
  const upstream = await startRawUpstream({ eras: "legacy", sessions: true, streamStatus: () => 409 });
  const caller = createCaller({ clock });
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  const server = serverEntry(upstream.url, ["legacy"]);
  const asked = () => upstream.seen.filter(({ httpMethod, answered }) => httpMethod === "GET" && answered).length;
  const call = () => caller.call(server, { era: "legacy", session: sessionOf("one") });
  /** Expects no request before that time, and then one. The call proves that its response arrived. */
  async function askedAfter(ms: number): Promise<void> {
    const before = asked();
    if (ms > 0) clock.advance(ms - 1);
    assert.equal((await call()).failure, undefined);
    assert.equal(asked(), before);
    if (ms > 0) clock.advance(1);
    else caller.upstreams.ofSession.retryStreams();
    await until(() => asked() > before);
    assert.equal((await call()).failure, undefined);
  }
  await call();
  await askedAfter(15_000);
  for (const ms of [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) await askedAfter(ms);
  assert.equal(upstream.count("initialize"), 1);
});

for (const { status, isTemporary } of [
  { status: 503, isTemporary: true },
  { status: 429, isTemporary: true },
  { status: 405, isTemporary: false },
  { status: 501, isTemporary: false },
]) {
  test(`${isTemporary ? "requests the stream again" : "does not request the stream again"} after ${status}`, async (t) => {
    const clock = createMovingClock();
    const upstream = await startRawUpstream({ eras: "legacy", sessions: true, streamStatus: () => status });
    const caller = createCaller({ clock });
    t.after(async () => {
      await caller.close();
      await upstream.close();
    });
    const asked = () => upstream.seen.filter(({ httpMethod, answered }) => httpMethod === "GET" && answered).length;
    const call = () => caller.call(serverEntry(upstream.url, ["legacy"]), { era: "legacy", session: sessionOf("one") });
    await call();
    assert.equal(asked(), 1);
    for (const [waitMs, expected] of [
      [1_000, 2],
      [1_999, 2],
      [1, 3],
    ] as const) {
      clock.advance(waitMs);
      if (isTemporary) await until(() => asked() === expected);
      // Proves that the response arrived, and that a request would have.
      assert.equal((await call()).failure, undefined);
      assert.equal(asked(), isTemporary ? expected : 1);
    }
  });
}

test("waits for the server stream before the first call of a session, and longer only once per silent server", async (t) => {
  const clock = createMovingClock();
  let opening = Promise.withResolvers<void>();
  const gate = ({ httpMethod }: { readonly httpMethod: string }) =>
    httpMethod === "GET" ? opening.promise : undefined;
  const upstream = await startRawUpstream({ eras: "legacy", sessions: true, gate });
  const caller = createCaller({ clock });
  t.after(async () => {
    opening.resolve();
    await caller.close();
    await upstream.close();
  });
  const server = serverEntry(upstream.url, ["legacy"]);
  const asked = () => upstream.seen.filter(({ httpMethod }) => httpMethod === "GET").length;
  const calls = () => upstream.count("tools/call");
  /** Starts a call and advances the clock while another call completes. */
  async function begin(id: string, passMs: number) {
    const before = asked();
    const call = caller.call(server, { era: "legacy", session: sessionOf(id) });
    await until(() => asked() > before);
    clock.advance(passMs);
    await caller.call(server, { era: "legacy", principal: `usr_${id}` });
    return { call };
  }

  const { call } = await begin("slow", 900);
  assert.equal(calls(), 1);
  opening.resolve();
  assert.equal((await call).failure, undefined);

  opening = Promise.withResolvers<void>();
  for (const [id, passMs] of [
    ["silent", 1_000],
    ["silent again", 250],
  ] as const) {
    const begun = await begin(id, passMs);
    assert.equal((await begun.call).failure, undefined);
  }
});
