import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createCaller, serverEntry, until } from "#test/upstreams/caller";
import { startLivelyUpstream } from "#test/upstreams/lively";
import { type RawUpstream, type RawUpstreamOptions, startRawUpstream } from "#test/upstreams/raw";
import type { CredentialState, UpstreamCredentials } from "../../ports.ts";

const LEGACY = { era: "legacy", principal: "usr_1" } as const;
const KEY = "usr_1 srv_1";

function bearing(token: string, grant: string): CredentialState {
  return { headers: ["authorization", `Bearer ${token}`], grant };
}

/** The recorded grant, the same for every lookup. */
class Records implements UpstreamCredentials {
  state: CredentialState = bearing("one", "con_1 1");
  of = () => this.state;
  refused = async () => this.state;
  lacksScope = async () => {};
  grantOf = async () => (typeof this.state === "object" ? this.state.grant : undefined);
}

async function setUp(t: TestContext, options: RawUpstreamOptions = {}) {
  const upstream = await startRawUpstream({ eras: "legacy", sessions: true, ...options });
  const records = new Records();
  const caller = createCaller({ credentials: records });
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  return { upstream, records, caller, server: asking(upstream.url) };
}

function asking(url: string) {
  const upstream = { url, transport: "http", authType: "proxy-oauth", eras: ["legacy"] } as const;
  return { ...serverEntry(url), id: "srv_1", upstream };
}

const ended = ({ seen }: RawUpstream) =>
  seen.filter(({ httpMethod }) => httpMethod === "DELETE").map(({ headers }) => headers["mcp-session-id"]);
const used = ({ seen }: RawUpstream) =>
  seen.filter(({ method }) => method === "tools/call").map(({ headers }) => headers["mcp-session-id"]);
test("ends only the upstream session of the user who disconnects", async (t) => {
  const { upstream, records, caller, server } = await setUp(t);
  for (const principal of ["usr_1", "usr_2"]) await caller.call(server, { ...LEGACY, principal });
  records.state = "not_connected";
  caller.upstreams.connectionsChanged([KEY, "usr_1 srv_other"]);
  await until(() => ended(upstream).length > 0);
  assert.deepEqual([ended(upstream), caller.upstreams.stats().sessions], [[used(upstream)[0]], 1]);
  assert.equal((await caller.call(server, LEGACY)).failure?.kind, "not-connected");
});

test("ends nothing when a token is renewed", async (t) => {
  const { upstream, records, caller, server } = await setUp(t);
  await caller.call(server, LEGACY);
  records.state = bearing("renewed", "con_1 1");
  caller.upstreams.connectionsChanged(undefined);
  await caller.call(server, LEGACY);
  assert.deepEqual([ended(upstream), new Set(used(upstream)).size], [[], 1]);
});

test("stops the calls of a user who disconnects, and lets them finish when the user connects again", async (t) => {
  const gate = Promise.withResolvers<void>();
  const { upstream, records, caller, server } = await setUp(t, {
    gate: ({ method }) => (method === "tools/call" ? gate.promise : undefined),
  });
  const answered = caller.call(server, LEGACY);
  await until(() => used(upstream).length === 1);
  records.state = bearing("two", "con_1 2");
  caller.upstreams.connectionsChanged([KEY]);
  const stopped = caller.call(server, LEGACY);
  await until(() => used(upstream).length === 2);
  assert.deepEqual(ended(upstream), []);
  records.state = "not_connected";
  // The first call belongs to neither grant, so it is stopped with the second.
  caller.upstreams.connectionsChanged([KEY]);
  for (const { failure } of await Promise.all([answered, stopped])) {
    assert.deepEqual([failure?.kind, failure?.mayHaveRun], ["cancelled", true]);
  }
  gate.resolve();
  await until(() => ended(upstream).length === 2);
  assert.equal(caller.upstreams.stats().sessions, 0);
});

test("lets a call under the previous connection finish, then ends its session", async (t) => {
  const gate = Promise.withResolvers<void>();
  const { upstream, records, caller, server } = await setUp(t, {
    gate: ({ method }) => (method === "tools/call" ? gate.promise : undefined),
  });
  const call = caller.call(server, LEGACY);
  await until(() => used(upstream).length === 1);
  records.state = bearing("two", "con_1 2");
  caller.upstreams.connectionsChanged([KEY]);
  const next = caller.call(server, LEGACY);
  await until(() => used(upstream).length === 2);
  const [old, present] = used(upstream);
  assert.notEqual(old, present);
  gate.resolve();
  assert.deepEqual([(await call).failure, (await next).failure], [undefined, undefined]);
  await until(() => ended(upstream).length === 1);
  assert.deepEqual([ended(upstream), caller.upstreams.stats().sessions], [[old], 1]);
});

test("ends a session that was being opened when its connection ended", async (t) => {
  const gate = Promise.withResolvers<void>();
  const { upstream, records, caller, server } = await setUp(t, {
    gate: ({ method }) => (method === "initialize" ? gate.promise : undefined),
  });
  const call = caller.call(server, LEGACY);
  await until(() => upstream.count("initialize") === 1);
  records.state = "not_connected";
  caller.upstreams.connectionsChanged([KEY]);
  const { failure } = await call;
  assert.deepEqual([failure?.kind, failure?.mayHaveRun], ["cancelled", false]);
  gate.resolve();
  await until(() => ended(upstream).length === 1);
  assert.equal(caller.upstreams.stats().sessions, 0);
});

for (const era of ["legacy", "modern"] as const) {
  test(`ends a ${era} stream with the connection that it was opened under`, async (t) => {
    const { records, caller } = await setUp(t);
    const upstream = await startLivelyUpstream(era);
    t.after(() => upstream.close());
    const server = asking(upstream.url);
    const credential = records.state;
    assert.ok(typeof credential === "object");
    const received: string[] = [];
    const to = { server, entry: server.upstream, era, userId: "usr_1", credential, resources: ["lively:thing"] };
    caller.upstreams.listen(to, {
      opened: () => void received.push("opened"),
      changed: () => {},
      ended: (why) => void received.push(why),
    });
    await until(() => received.length === 1);
    records.state = bearing("two", "con_1 2");
    caller.upstreams.connectionsChanged([KEY]);
    await until(() => received.length === 2);
    assert.deepEqual(received, ["opened", "broken"]);
  });
}
