import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { MCP_2025_11_25 } from "#test/gateway-kit";
import { createCaller, serverEntry } from "#test/upstreams/caller";
import { startRawUpstream } from "#test/upstreams/raw";
import { readResponse } from "../envelope/read-response.ts";
import type { ReplicaMessage, ReplicaMessageRecords } from "../session-ports.ts";
import { SnapshotHolder } from "../snapshot/holder.ts";
import { ReplicaMessages } from "./replica-messages.ts";

const SESSION = { id: "session", userId: "usr_1", version: MCP_2025_11_25, capabilities: { roots: {} } } as const;

/** One process whose messages another may take; the database and the other process are simulated. */
async function setUp(t: test.TestContext, others = true) {
  const upstream = await startRawUpstream({ eras: "legacy" });
  const caller = createCaller();
  t.after(async () => {
    await caller.close();
    await upstream.close();
  });
  const clock = testClock();
  const rows = new Map<string, readonly ReplicaMessage[]>();
  let stored = 0;
  const records: ReplicaMessageRecords = {
    async pass(_session, _to, messages) {
      rows.set(String(++stored), messages);
      return String(stored);
    },
    waiting: async () => [],
    take: async () => [],
    takeCancelled: async () => [],
    takeBack: async (id) => rows.delete(id),
    announce: async () => {},
  };
  const passed = new ReplicaMessages({
    ...{ records, clock, upstreams: caller.upstreams, holder: new SnapshotHolder(), logger: createLogger("silent") },
    replicas: { id: "this", others: () => others, has: () => others, look: async () => others },
    sessionCalls: { idsOf: () => new Map(), cancel: () => {} },
    hasStream: () => false,
    deliverLocally: () => false,
  });
  const received = <Kind extends "request" | "notification">(kind: Kind, message: object) => {
    const read = readResponse(Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message })));
    assert.equal(read.kind, kind);
    const from = { url: upstream.url, path: undefined, version: MCP_2025_11_25, sessionId: undefined };
    // Its kind was just checked.
    return { session: SESSION, server: serverEntry(upstream.url), from, message: read as typeof read & { kind: Kind } };
  };
  const refused = () => upstream.seen.filter(({ body }) => body.includes("Method not found")).length;
  const pass = async (ms: number) => {
    clock.advance(ms);
    for (let turns = 0; turns < 5; turns++) await setImmediate();
  };
  return { passed, rows, received, refused, pass, stored: () => stored };
}

test("rejects a question that no process takes after a while, but not one that was taken", async (t) => {
  const { passed, rows, received, refused, pass } = await setUp(t);
  const question = () => passed.question(received("request", { id: 1, method: "roots/list" }));
  assert.equal(question(), true);
  await pass(0);
  assert.equal(rows.size, 1);
  rows.clear();
  await pass(10_000);
  assert.equal(question(), true);
  await pass(0);
  await pass(9_999);
  assert.equal(rows.size, 1);
  await pass(1);
  while (refused() === 0) await setImmediate();
  assert.equal(rows.size, 0);
  assert.equal(passed.question(received("request", { id: 2, method: "sampling/createMessage" })), false);
  assert.equal(refused(), 1);
});

test("rejects a question immediately if there is no other process", async (t) => {
  const { passed, received, refused, stored } = await setUp(t, false);
  passed.question(received("request", { id: 1, method: "roots/list" }));
  while (refused() === 0) await setImmediate();
  assert.equal(stored(), 0);
});

test("stores log messages in batches, and rarely if no process takes them", async (t) => {
  const { passed, rows, received, pass, stored } = await setUp(t);
  const log = (data: string) =>
    passed.notification(received("notification", { method: "notifications/message", params: { data } }));
  for (const data of ["one", "two", "three"]) log(data);
  await pass(100);
  assert.deepEqual(
    [...rows.values()].map((messages) => messages.length),
    [3],
  );
  rows.clear();
  await pass(10_000);
  log("taken as well");
  await pass(100);
  assert.equal(stored(), 2);
  await pass(10_000);
  for (let second = 0; second < 29; second++) {
    log("not taken");
    await pass(1_000);
  }
  assert.equal(stored(), 2);
  await pass(1_000);
  log("perhaps taken by now");
  await pass(100);
  assert.equal(stored(), 3);
});

test("passes a limited number of cancellations of calls that are not open here while there are other processes, for as long as they are waited for", async (t) => {
  const { passed, rows, pass, stored } = await setUp(t);
  passed.cancel(SESSION.id, "1".repeat(257));
  for (let id = 0; id < 300; id++) passed.cancel(SESSION.id, String(id));
  await pass(0);
  assert.deepEqual([stored(), rows.size], [256, 256]);
  await pass(10_000);
  assert.equal(rows.size, 0);
  const alone = await setUp(t, false);
  alone.passed.cancel(SESSION.id, "1");
  await alone.pass(0);
  assert.equal(alone.stored(), 0);
});
