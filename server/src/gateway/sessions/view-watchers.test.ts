import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { exampleServer, exampleSnapshot, exampleTools, exampleUser } from "#test/example-entries";
import type { Principal } from "../snapshot/authenticate.ts";
import { SnapshotHolder } from "../snapshot/holder.ts";
import { ALL_SERVERS } from "../snapshot/scope.ts";
import { MAX_STREAMS_PER_USER, ViewWatchers, type Watcher } from "./view-watchers.ts";

const SECRET = "right";
const verifier = { verifier: (secret: string) => Buffer.from(secret.padEnd(32)) };
const user = exampleUser("u", []);
const credential = {
  id: "crd_1",
  kind: "machine_key",
  userId: "u",
  verifier: Buffer.from(SECRET.padEnd(32)).toString("base64"),
  pepperVersion: 1,
} as const;

function setUp(expiresAt?: number) {
  const clock = testClock();
  const holder = new SnapshotHolder();
  const entry = { ...credential, previous: undefined, expiresAt: expiresAt && clock.now() + expiresAt };
  holder.swap(exampleSnapshot({ users: [user], credentials: { key: entry } }));
  return { clock, holder, watchers: new ViewWatchers({ holder, verifier, clock, logger: createLogger("silent") }) };
}

let streams = 0;

function watcher(calls: string[], userId = "u"): Watcher {
  const principal: Principal = {
    userId,
    email: user.email,
    kind: "machine",
    user,
    credentialId: credential.id,
    via: "machine_key",
    clientId: "key",
    toolkit: undefined,
    actor: undefined,
    path: undefined,
    serverId: undefined,
  };
  return {
    id: `stream-${++streams}`,
    principal,
    authorization: `Bearer key:${SECRET}`,
    scope: ALL_SERVERS,
    listChanged: (kind) => void calls.push(kind),
    keepAlive: () => void calls.push("alive"),
    end: () => void calls.push("end"),
  };
}

const turns = async () => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe("ViewWatchers", () => {
  it("notifies a caller that opens a stream again of what changed in between, for ten minutes", async () => {
    const { clock, holder, watchers } = setUp();
    const member = exampleUser("u", ["grp"]);
    const entry = { ...credential, previous: undefined, expiresAt: undefined };
    const swap = (tools: readonly string[]) =>
      holder.swap(
        exampleSnapshot({
          users: [member],
          credentials: { key: entry },
          groups: { grp: false },
          servers: [exampleServer("echo", ["grp"], { tools: exampleTools("echo", tools) })],
        }),
      );
    const streamed = async () => {
      const calls: string[] = [];
      const stream = watcher(calls);
      watchers.add(stream);
      await turns();
      watchers.remove(stream);
      return calls;
    };
    swap(["one"]);
    assert.deepEqual(await streamed(), []);
    assert.deepEqual(await streamed(), []);
    swap(["one", "two"]);
    await turns();
    assert.deepEqual(await streamed(), ["tools"]);
    assert.deepEqual(await streamed(), []);
    swap(["three"]);
    clock.advance(10 * 60_000 + 1);
    assert.deepEqual(await streamed(), []);
    watchers.close();
  });

  it("does not notify callers with tool search of changed tools, only of other lists", async () => {
    const { holder, watchers } = setUp();
    const member = exampleUser("u", ["grp"]);
    const server = (tool: string) => exampleServer("echo", ["grp"], { tools: exampleTools("echo", [tool]) });
    const entry = { ...credential, previous: undefined, expiresAt: undefined };
    const swap = (...servers: ReturnType<typeof server>[]) =>
      holder.swap(exampleSnapshot({ users: [member], credentials: { key: entry }, groups: { grp: false }, servers }));
    swap(server("one"));
    const [listing, searching]: [string[], string[]] = [[], []];
    watchers.add(watcher(listing));
    watchers.add({ ...watcher(searching), scope: { ...ALL_SERVERS, tools: "search" } });
    await turns();
    swap(server("two"));
    await turns();
    for (const kind of ["tools", "prompts"] as const) watchers.announced(server("two"), kind);
    assert.deepEqual([listing, searching], [["tools", "tools", "prompts"], ["prompts"]]);
    watchers.close();
  });

  it("keeps streams alive every 15 s, and ends one whose credential expired in between", async () => {
    const { clock, watchers } = setUp(40_000);
    const calls: string[] = [];
    assert.ok(watchers.add(watcher(calls)));
    clock.advance(30_000);
    await turns();
    assert.deepEqual(calls, ["alive", "alive"]);
    clock.advance(15_000);
    await turns();
    assert.deepEqual(calls, ["alive", "alive", "alive", "end"]);
    clock.advance(60_000);
    await turns();
    assert.equal(calls.length, 4);
  });

  it("ends a stream whose credential ended before it was opened", async () => {
    const { watchers, holder } = setUp();
    const calls: string[] = [];
    holder.swap(exampleSnapshot({ users: [user] }));
    assert.ok(watchers.add(watcher(calls)));
    await turns();
    assert.deepEqual(calls, ["end"]);
  });

  it("limits the streams of a user without affecting others", () => {
    const { watchers } = setUp();
    const mine = Array.from({ length: MAX_STREAMS_PER_USER }, () => watcher([]));
    for (const one of mine) assert.ok(watchers.add(one));
    assert.equal(watchers.add(watcher([])), false);
    assert.ok(watchers.add(watcher([], "another")));
    for (const one of mine.slice(0, 2)) watchers.remove(one);
    watchers.remove(mine[0] ?? watcher([]));
    assert.deepEqual(
      [watchers.add(watcher([])), watchers.add(watcher([])), watchers.add(watcher([]))],
      [true, true, false],
    );
  });

  it("ends every stream on close, and accepts no more", () => {
    const { watchers } = setUp();
    const calls: string[] = [];
    watchers.add(watcher(calls));
    watchers.close();
    assert.deepEqual(calls, ["end"]);
    assert.equal(watchers.add(watcher(calls)), false);
  });
});
