import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createCaller, serverEntry, until } from "#test/upstreams/caller";
import { startEventStreamUpstream } from "#test/upstreams/event-stream";
import { type RawUpstreamOptions, startRawUpstream } from "#test/upstreams/raw";
import type { CredentialState, UpstreamCredential, UpstreamCredentials } from "../../ports.ts";

type Credential = { -readonly [Key in keyof UpstreamCredential]: UpstreamCredential[Key] };

/** The credential of each user as the test sets it, and the lookups. */
class Wallet implements UpstreamCredentials {
  readonly states = new Map<string, CredentialState>();
  readonly refusals: [user: string, again: boolean][] = [];
  readonly scopes: string[] = [];
  renewed: (user: string) => CredentialState | Promise<CredentialState> = () => "reconnect_needed";
  slow = false;

  of(_server: unknown, userId: string): CredentialState | Promise<CredentialState> {
    const state = this.states.get(userId) ?? "not_connected";
    return this.slow ? Promise.resolve(state) : state;
  }

  async refused(_server: unknown, userId: string, _credential: UpstreamCredential, again: boolean) {
    this.refusals.push([userId, again]);
    const state = await this.renewed(userId);
    this.states.set(userId, state);
    return state;
  }

  async lacksScope(_server: unknown, _userId: string, challenge: string): Promise<void> {
    this.scopes.push(challenge);
  }

  async grantOf(userId: string): Promise<string | undefined> {
    const state = this.states.get(userId);
    return typeof state === "object" ? state.grant : undefined;
  }
}

function bearing(token: string, grant = "con_1 1"): Credential {
  return { headers: ["authorization", `Bearer ${token}`], grant };
}

function asking(url: string, transport: "http" | "sse" = "http", eras: readonly ("modern" | "legacy")[] = []) {
  const server = serverEntry(url, eras);
  return { ...server, upstream: { url, transport, authType: "proxy-oauth", eras } } as const;
}

async function setUp(t: TestContext, options: RawUpstreamOptions = {}) {
  const upstream = await startRawUpstream(options);
  const wallet = new Wallet();
  const caller = createCaller({ credentials: wallet });
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  return { upstream, wallet, caller, server: asking(upstream.url) };
}

const tokens = (seen: readonly { headers: NodeJS.Dict<string | string[]> }[]) =>
  seen.map(({ headers }) => headers.authorization);

for (const era of ["modern", "legacy"] as const) {
  test(`sends the user's credential with every request, in the ${era} era`, async (t) => {
    const { upstream, wallet, caller, server } = await setUp(t, { eras: era, sessions: true });
    wallet.states.set("usr_1", bearing("one"));
    wallet.states.set("usr_2", bearing("two", "con_2 1"));
    for (const principal of ["usr_1", "usr_2", "usr_1"]) {
      assert.equal((await caller.call(server, { principal, era })).failure, undefined);
    }
    await caller.upstreams.close();
    const calls = upstream.seen.filter((seen) => seen.method === "tools/call");
    assert.deepEqual(tokens(calls), ["Bearer one", "Bearer two", "Bearer one"]);
    assert.equal(tokens(upstream.seen).includes(undefined), false);
    if (era === "modern") return;
    const ended = upstream.seen.filter((seen) => seen.httpMethod === "DELETE");
    assert.deepEqual(tokens(ended).sort(), ["Bearer one", "Bearer two"]);
  });
}

test("gives each user and each grant a separate upstream session", async (t) => {
  const { upstream, wallet, caller, server } = await setUp(t, { eras: "legacy", sessions: true });
  const session = async (principal: string) => {
    assert.equal((await caller.call(server, { principal, era: "legacy" })).failure, undefined);
    return upstream.seen.at(-1)?.headers["mcp-session-id"];
  };
  wallet.states.set("usr_1", bearing("one"));
  const first = await session("usr_1");
  wallet.states.set("usr_2", bearing("two", "con_2 1"));
  assert.notEqual(await session("usr_2"), first);
  wallet.states.set("usr_1", bearing("renewed"));
  assert.equal(await session("usr_1"), first);
  assert.equal(upstream.seen.at(-1)?.headers.authorization, "Bearer renewed");
  wallet.states.set("usr_1", bearing("another account", "con_1 2"));
  assert.notEqual(await session("usr_1"), first);
});

test("sends no credential to a server that needs none", async (t) => {
  const { upstream, wallet, caller } = await setUp(t);
  wallet.states.set("usr_1", bearing("one"));
  await caller.call(serverEntry(upstream.url));
  assert.deepEqual(new Set(tokens(upstream.seen)), new Set([undefined]));
});

test("sends nothing without a credential, and the failure explains what the user can do", async (t) => {
  const { upstream, wallet, caller, server } = await setUp(t);
  for (const slow of [false, true]) {
    wallet.slow = slow;
    for (const state of ["not_connected", "reconnect_needed"] as const) {
      wallet.states.set("usr_1", state);
      const { failure } = await caller.call(server);
      assert.deepEqual([failure?.kind, failure?.mayHaveRun], ["not-connected", false]);
      assert.match(failure?.message ?? "", /^Server "echo" .*connect to it/);
    }
  }
  wallet.of = () => Promise.reject(new Error("postgres://secret@host is away"));
  const { failure } = await caller.call(server);
  assert.equal(failure?.kind, "unreachable");
  assert.doesNotMatch(failure?.message ?? "", /secret/);
  assert.equal(upstream.seen.length, 0);
});

test("renews the credential once after a 401 and sends the call again", async (t) => {
  const { upstream, wallet, caller, server } = await setUp(t, { eras: "modern" });
  wallet.states.set("usr_1", bearing("old"));
  wallet.renewed = () => bearing("new");
  upstream.behave = ({ method, headers }) =>
    method === "tools/call" && headers.authorization === "Bearer old" ? { status: 401 } : "json";
  assert.equal((await caller.call(server)).failure, undefined);
  const calls = upstream.seen.filter((seen) => seen.method === "tools/call");
  assert.deepEqual(tokens(calls), ["Bearer old", "Bearer new"]);
  assert.deepEqual(wallet.refusals, [["usr_1", false]]);
});

test("renews the credential after a 401 to the handshake", async (t) => {
  const { upstream, wallet, caller, server } = await setUp(t, { eras: "legacy", sessions: true });
  wallet.states.set("usr_1", bearing("old"));
  wallet.renewed = () => bearing("new");
  upstream.behave = ({ headers }) => (headers.authorization === "Bearer old" ? { status: 401 } : "json");
  assert.equal((await caller.call(server, { era: "legacy" })).failure, undefined);
  assert.equal(upstream.count("tools/call"), 1);
});

for (const era of ["modern", "legacy"] as const) {
  test(`does not apply the refusal of an old credential to a renewed one, in the ${era} era`, async (t) => {
    const { promise: refuseOld, resolve } = Promise.withResolvers<void>();
    const isOld = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => headers.authorization === "Bearer old";
    const { upstream, wallet, caller, server } = await setUp(t, {
      eras: era,
      sessions: true,
      gate: (seen) => (isOld(seen) ? refuseOld : undefined),
    });
    upstream.behave = (seen) => (isOld(seen) ? { status: 401 } : "json");
    wallet.states.set("usr_1", bearing("old"));
    wallet.renewed = () => bearing("new");
    const first = caller.call(server, { era });
    await until(() => upstream.seen.length > 0);
    wallet.states.set("usr_1", bearing("new"));
    const second = caller.call(server, { era });
    await until(() => upstream.seen.length > 1);
    resolve();
    assert.deepEqual([(await first).failure, (await second).failure], [undefined, undefined]);
    assert.deepEqual(wallet.refusals, [["usr_1", false]]);
  });
}

test("fails when the renewed credential is refused too", async (t) => {
  const { upstream, wallet, caller, server } = await setUp(t, { eras: "modern" });
  wallet.states.set("usr_1", bearing("old"));
  let renewals = 0;
  wallet.renewed = () => bearing(`new ${++renewals}`);
  upstream.behave = ({ method }) => (method === "tools/call" ? { status: 401 } : "json");
  assert.equal((await caller.call(server)).failure?.kind, "unauthorized");
  assert.equal(upstream.count("tools/call"), 2);
  assert.deepEqual(wallet.refusals, [
    ["usr_1", false],
    ["usr_1", true],
  ]);
  wallet.renewed = () => "reconnect_needed";
  assert.equal((await caller.call(server)).failure?.kind, "not-connected");
});

test("requires a new connection after a 403 with a missing scope, and passes on any other 403", async (t) => {
  const { upstream, wallet, caller, server } = await setUp(t, { eras: "modern" });
  wallet.states.set("usr_1", bearing("one"));
  const challenge = 'Bearer error="insufficient_scope", scope="write"';
  upstream.behave = ({ method }) =>
    method === "tools/call" ? { status: 403, headers: { "www-authenticate": challenge } } : "json";
  assert.equal((await caller.call(server)).failure?.kind, "not-connected");
  assert.deepEqual(wallet.scopes, [challenge]);
  upstream.behave = ({ method }) => (method === "tools/call" ? { status: 403 } : "json");
  assert.equal((await caller.call(server)).failure?.kind, "unauthorized");
  assert.deepEqual([wallet.scopes.length, wallet.refusals.length], [1, 0]);
});

test("does not send a call that was canceled while its credential was loaded", async (t) => {
  const { upstream, wallet, caller, server } = await setUp(t);
  const { promise, resolve } = Promise.withResolvers<CredentialState>();
  wallet.of = () => promise;
  caller.call(server).handle.cancel();
  resolve(bearing("one"));
  await promise;
  assert.equal(upstream.seen.length, 0);
});

test("sends the credential with the stream and each message over HTTP+SSE, also after a renewal", async (t) => {
  const upstream = await startEventStreamUpstream();
  const wallet = new Wallet();
  const caller = createCaller({ credentials: wallet });
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  const server = asking(upstream.url, "sse");
  wallet.states.set("usr_1", bearing("one"));
  assert.equal((await caller.call(server)).failure, undefined);
  wallet.states.set("usr_1", bearing("two"));
  assert.equal((await caller.call(server)).failure, undefined);
  wallet.renewed = () => bearing("three");
  let refusals = 1;
  upstream.refusePosts = (method) => (method === "tools/call" && refusals-- > 0 ? 401 : undefined);
  assert.equal((await caller.call(server)).failure, undefined);
  const calls = upstream.seen.filter((seen) => seen.method === "tools/call");
  assert.deepEqual(tokens(calls), ["Bearer one", "Bearer two", "Bearer two", "Bearer three"]);
  assert.equal(tokens(upstream.seen).includes(undefined), false);
  assert.deepEqual(upstream.streamTokens, ["Bearer one"]);
});
