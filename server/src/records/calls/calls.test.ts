import assert from "node:assert/strict";
import { it } from "node:test";
import type { CallsDb } from "#storage/database";
import { forEachDatabase } from "#test/databases";
import {
  type CallFilters,
  type CallRecord,
  forgetSpools,
  LogNames,
  listCalls,
  moveCalls,
  spoolPosition,
} from "./index.ts";

const call: CallRecord = {
  requestId: "req_1",
  at: 1_700_000_000_000,
  method: "tools/call",
  userId: "usr_1",
  userEmail: "ann@example.com",
  serverSlug: "github",
  tool: "create_issue",
  requestBytes: 120,
  outcome: "ok",
  durationUs: 1500,
  responseBytes: 80,
  error: undefined,
  forwardedUs: 300,
};
const calls = (count: number, change: (index: number) => Partial<CallRecord> = () => ({})): CallRecord[] =>
  Array.from({ length: count }, (_, index) => ({ ...call, requestId: `req_${index}`, ...change(index) }));

forEachDatabase("the call log", (open) => {
  const openCalls = async () => (await open()).databases.calls;
  const insert = (db: CallsDb, records: CallRecord[], names = new LogNames(), spool = "spl_1") =>
    moveCalls(db, names, { spool, from: 0, to: 10, records }, 1);
  const ids = async (db: CallsDb, filters: CallFilters = {}) =>
    (await listCalls(db, { limit: 200, filters })).calls.map(({ requestId }) => requestId);

  it("returns every field of a record", async () => {
    const db = await openCalls();
    const bare = {
      ...call,
      requestId: "req_2",
      at: call.at + 1,
      serverSlug: undefined,
      tool: undefined,
      error: "refused",
      via: "oauth" as const,
      client: "cli_1",
      forwardedUs: undefined,
    };
    await insert(db, [call, bare]);
    assert.deepEqual((await listCalls(db, { limit: 10 })).calls, [
      { ...bare, id: 2 },
      { ...call, id: 1 },
    ]);
  });

  it("writes nothing in a step from a position that is not the stored one", async () => {
    const db = await openCalls();
    const names = new LogNames();
    const step = (from: number, to: number) => moveCalls(db, names, { spool: "spl_1", from, to, records: [call] }, 1);
    assert.equal(await step(5, 10), false);
    assert.equal(await step(0, 10), true);
    assert.equal(await step(0, 10), false);
    assert.equal(await step(10, 20), true);
    assert.equal(await step(10, 20), false);
    assert.equal(await spoolPosition(db, "spl_1"), 20);
    assert.equal((await ids(db)).length, 2);
  });

  it("lets one of many movers succeed that take the same step concurrently", async () => {
    const db = await openCalls();
    const records = calls(20);
    const results = await Promise.all(Array.from({ length: 8 }, () => insert(db, records)));
    assert.equal(results.filter(Boolean).length, 1);
    assert.equal((await ids(db)).length, 20);
  });

  it("assigns the same number to a new name when movers of different spools store it concurrently", async () => {
    const db = await openCalls();
    const movers = Array.from({ length: 8 }, (_, index) =>
      insert(
        db,
        calls(20, (i) => ({ requestId: `req_${index}_${i}`, tool: `tool_${i}` })),
        new LogNames(),
        `spl_${index}`,
      ),
    );
    assert.ok((await Promise.all(movers)).every(Boolean));
    assert.equal(new Set(await ids(db)).size, 160);
    assert.equal((await ids(db, { tool: "tool_7" })).length, 8);
  });

  it("does not use a name's number from a failed step", async () => {
    const db = await openCalls();
    const names = new LogNames();
    const broken = { ...call, requestId: "req_0", requestBytes: Number.NaN };
    await assert.rejects(insert(db, [{ ...broken, tool: "new_tool" }], names));
    assert.equal(await insert(db, [{ ...call, tool: "new_tool" }], names), true);
    assert.deepEqual((await listCalls(db, { limit: 10 })).calls, [{ ...call, tool: "new_tool", id: 1 }]);
  });

  it("stores texts that Postgres rejects or cannot index, so that none blocks the log", async () => {
    const db = await openCalls();
    const odd = ["nul\0", "half \ud83d", "x".repeat(10_000), "😀".repeat(250), `${"x".repeat(499)}😀`];
    const records = calls(odd.length, (index) => ({ tool: odd[index], error: odd[index] }));
    assert.equal(await insert(db, records), true);
    assert.equal(await insert(db, records, new LogNames(), "spl_2"), true);
    for (const tool of odd) assert.equal((await ids(db, { tool })).length, 2);
  });

  it("lists newest first and pages without gaps or repetition, even among calls of the same millisecond", async () => {
    const db = await openCalls();
    await insert(
      db,
      calls(25, (index) => ({ at: call.at + Math.floor(index / 10) })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await listCalls(db, { limit: 7, cursor });
      seen.push(...page.calls.map(({ requestId }) => requestId));
      cursor = page.nextCursor;
      pages++;
    } while (cursor !== undefined);
    assert.equal(pages, 4);
    assert.deepEqual(
      seen,
      calls(25)
        .map(({ requestId }) => requestId)
        .reverse(),
    );
  });

  it("returns no cursor with a full last page", async () => {
    const db = await openCalls();
    await insert(db, calls(5));
    assert.equal((await listCalls(db, { limit: 5 })).nextCursor, undefined);
  });

  it("filters calls by user, server, tool, outcome, method and time range, separately and combined", async () => {
    const db = await openCalls();
    const other: Partial<CallRecord>[] = [
      { userEmail: "bob@example.com" },
      { serverSlug: "linear" },
      { tool: "list_issues" },
      { outcome: "timeout" },
      { method: "prompts/get" },
      { at: call.at - 1000 },
      { at: call.at + 1000 },
    ];
    await insert(
      db,
      [call, ...calls(other.length, (index) => other[index] ?? {})].map((one, i) => ({
        ...one,
        requestId: `req_${i}`,
      })),
    );
    assert.deepEqual(await ids(db, { userEmail: "bob@example.com" }), ["req_1"]);
    assert.deepEqual(await ids(db, { serverSlug: "linear" }), ["req_2"]);
    assert.deepEqual(await ids(db, { tool: "list_issues" }), ["req_3"]);
    assert.deepEqual(await ids(db, { outcome: "timeout" }), ["req_4"]);
    assert.deepEqual(await ids(db, { methods: ["prompts/get"] }), ["req_5"]);
    assert.deepEqual(await ids(db, { to: call.at }), ["req_6"]);
    assert.deepEqual(await ids(db, { from: call.at + 1000 }), ["req_7"]);
    assert.deepEqual(await ids(db, { tool: "never called" }), []);
    const { userEmail, serverSlug, tool, outcome, method, at } = call;
    assert.deepEqual(await ids(db, { userEmail, serverSlug, tool, outcome, methods: [method], from: at, to: at + 1 }), [
      "req_0",
    ]);
  });

  it("rejects an invalid cursor", async () => {
    const db = await openCalls();
    for (const cursor of [
      "",
      "x",
      "MS4y.",
      Buffer.from("1.2.3").toString("base64url"),
      Buffer.from("1.-2").toString("base64url"),
    ]) {
      await assert.rejects(listCalls(db, { limit: 5, cursor }), { kind: "invalid", message: /^cursor: / });
    }
  });

  it("forgets only spools that were finished long ago", async () => {
    const db = await openCalls();
    const move = (spool: string, to: number, now: number) =>
      moveCalls(db, new LogNames(), { spool, from: 0, to, records: [] }, now);
    await move("spl_old", 99, 1);
    await move("spl_recent", 99, 50);
    await move("spl_unfinished", 98, 1);
    await forgetSpools(db, 99, 50);
    const positions = await Promise.all(
      ["spl_old", "spl_recent", "spl_unfinished"].map((spool) => spoolPosition(db, spool)),
    );
    assert.deepEqual(positions, [0, 99, 98]);
  });
});
