import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { forEachDatabase } from "#test/databases";
import { seedFor } from "#test/seed";
import { type CallFilters, type CallRecord, followCalls, LogNames, logEndCursor, moveCalls } from "./index.ts";

const NOW = 1_700_000_000_000;
const call: CallRecord = {
  requestId: "req",
  at: NOW,
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
};

forEachDatabase("following the log", (open) => {
  it("returns every call once, whatever its duration and with concurrent writers", async (t) => {
    const { calls: db } = (await open()).databases;
    let spools = 0;
    const insert = (records: readonly CallRecord[]) =>
      moveCalls(db, new LogNames(), { spool: `spl_${++spools}`, from: 0, to: 1, records }, NOW);
    await insert([call]);
    const step = fc.record({
      // Two processes insert concurrently: calls that began up to an hour ago.
      batches: fc.array(fc.array(fc.integer({ min: 0, max: 3_600_000 }), { maxLength: 7 }), { maxLength: 2 }),
      limit: fc.integer({ min: 1, max: 5 }),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.boolean(), async (steps, onlyOne) => {
      const filters: CallFilters = onlyOne ? { serverSlug: "linear" } : {};
      let cursor = await logEndCursor(db);
      const wanted: string[] = [];
      const met: string[] = [];
      const look = async (limit: number) => {
        const arrived = await followCalls(db, { cursor, limit, filters });
        met.push(...arrived.calls.map(({ requestId }) => requestId));
        cursor = arrived.cursor;
        return arrived.hasMore;
      };
      for (const { batches, limit } of steps) {
        const records = batches.map((ages) =>
          ages.map((age, at) => {
            const requestId = `req_${wanted.length}`;
            const serverSlug = at % 2 === 0 ? "linear" : "github";
            wanted.push(onlyOne && serverSlug === "github" ? "" : requestId);
            return { ...call, requestId, serverSlug, at: NOW - age };
          }),
        );
        await Promise.all([...records.map(insert), look(limit)]);
      }
      while (await look(3));
      assert.deepEqual(met.toSorted(), wanted.filter(Boolean).toSorted());
    });
    await fc.assert(property, { seed: seedFor(t), numRuns: 15 });
  });

  it("continues after the log was restored to an earlier state", async () => {
    const { calls: db } = (await open()).databases;
    await moveCalls(db, new LogNames(), { spool: "a", from: 0, to: 1, records: [call, call] }, NOW);
    const cursor = await logEndCursor(db);
    await db.deleteFrom("calls").execute();
    await db.updateTable("log_counters").set({ value: 0 }).where("name", "=", "calls").execute();
    const { cursor: next } = await followCalls(db, { cursor, limit: 10 });
    await moveCalls(db, new LogNames(), { spool: "b", from: 0, to: 1, records: [call] }, NOW);
    assert.equal((await followCalls(db, { cursor: next, limit: 10 })).calls.length, 1);
  });
});
