import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import type { CallsDb } from "#storage/database";
import { forEachDatabase } from "#test/databases";
import { seedFor } from "#test/seed";
import {
  CALL_METHODS,
  CALL_OUTCOMES,
  type CallRecord,
  countEarlierCalls,
  deleteCallStatsBefore,
  LogNames,
  moveCalls,
  readCallStats,
  type StatsWanted,
} from "./index.ts";

const MINUTE = 60_000;
const START = 28_000_000 * MINUTE;
const call: CallRecord = {
  requestId: "req_1",
  at: START,
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
const wanted = { from: START, to: START + 10 * MINUTE, minutesPerPoint: 1, top: 10, filters: {} };

forEachDatabase("statistics of calls", (open) => {
  let spools = 0;
  const openCalls = async () => (await open()).databases.calls;
  const insert = (db: CallsDb, records: readonly CallRecord[], names = new LogNames()) =>
    moveCalls(db, names, { spool: `spl_${++spools}`, from: 0, to: 10, records }, 1);
  const counted = async (db: CallsDb, change: Partial<StatsWanted> = {}) =>
    (await readCallStats(db, { ...wanted, ...change })).totals.calls;

  it("agree with the log, whatever it holds and however it is asked", async (t) => {
    const record = fc.record({
      at: fc.integer({ min: START - 2 * MINUTE, max: START + 12 * MINUTE }),
      method: fc.constantFrom(...CALL_METHODS),
      userEmail: fc.constantFrom("ann@example.com", "bob@example.com"),
      serverSlug: fc.constantFrom(undefined, "github", "linear"),
      tool: fc.constantFrom(undefined, "create", "list"),
      outcome: fc.constantFrom(...CALL_OUTCOMES),
      durationUs: fc.integer({ min: 0, max: 10_000_000 }),
    });
    const filters = fc.record(
      {
        userEmail: fc.constantFrom("ann@example.com", "nobody@example.com"),
        serverSlug: fc.constant("github"),
        tool: fc.constant("create"),
        outcome: fc.constantFrom(...CALL_OUTCOMES),
        method: fc.constantFrom(...CALL_METHODS),
      },
      { requiredKeys: [] },
    );
    const db = await openCalls();
    const property = fc.asyncProperty(fc.array(record, { maxLength: 60 }), filters, async (changes, asked) => {
      for (const table of ["calls", "call_minutes"] as const) await db.deleteFrom(table).execute();
      const records = changes.map((change) => ({ ...call, ...change }));
      // Two steps, the second of which meets minutes that are there already.
      await insert(db, records.slice(0, records.length / 2));
      await insert(db, records.slice(records.length / 2));
      const matching = records.filter(
        (each) =>
          each.at >= wanted.from &&
          each.at < wanted.to &&
          Object.entries(asked).every(([name, value]) => each[name as keyof typeof asked] === value), // its own keys
      );
      const stats = await readCallStats(db, { ...wanted, filters: asked });
      assert.equal(stats.totals.calls, matching.length);
      CALL_OUTCOMES.forEach((outcome, code) => {
        assert.equal(stats.totals.outcomes[code], matching.filter((each) => each.outcome === outcome).length);
      });
      assert.equal(stats.series.length, 10);
      for (const { at, tally } of stats.series) {
        assert.equal(tally.calls, matching.filter((each) => each.at >= at && each.at < at + MINUTE).length);
      }
      for (const { serverSlug, tally } of stats.servers) {
        assert.equal(tally.calls, matching.filter((each) => each.serverSlug === serverSlug).length);
      }
      for (const { serverSlug, tool, tally } of stats.tools) {
        const same = matching.filter((each) => each.tool === tool && (each.serverSlug ?? "") === serverSlug);
        assert.equal(tally.calls, same.length);
      }
      const users = stats.users.reduce((sum, { tally }) => sum + tally.calls, 0);
      assert.equal(users, matching.length);
    });
    await fc.assert(property, { seed: seedFor(t), numRuns: 15 });
  });

  it("percentiles are at most a fifth beside the true ones; calls that never ended have none", async () => {
    const db = await openCalls();
    const records = Array.from({ length: 1_000 }, (_, i) => ({ ...call, durationUs: (i + 1) * 1_000 }));
    await insert(db, [...records, ...Array(500).fill({ ...call, outcome: "interrupted", durationUs: 0 })]);
    const { totals } = await readCallStats(db, wanted);
    assert.equal(totals.calls, 1_500);
    assert.equal(totals.mean(), 500_500);
    for (const share of [0.5, 0.95, 0.99]) {
      const found = totals.quantile(share) ?? Number.NaN;
      const truth = share * 1_000_000;
      assert.ok(Math.abs(found - truth) / truth < 0.2, `${share}: ${found}`);
    }
    const empty = (await readCallStats(db, { ...wanted, from: wanted.to, to: wanted.to + MINUTE })).totals;
    assert.deepEqual([empty.calls, empty.mean(), empty.quantile(0.5)], [0, undefined, undefined]);
  });

  it("those with the most calls come first, and no more than asked for", async () => {
    const db = await openCalls();
    const records = ["a", "b", "b", "c", "c", "c"].map((tool) => ({ ...call, tool }));
    await insert(db, records);
    const { tools } = await readCallStats(db, { ...wanted, top: 2 });
    assert.deepEqual(
      tools.map(({ serverSlug, tool, tally }) => [serverSlug, tool, tally.calls]),
      [
        ["github", "c", 3],
        ["github", "b", 2],
      ],
    );
  });

  it("what an earlier release brought in is counted later, slice by slice, each call once", async () => {
    const db = await openCalls();
    await insert(db, Array(25).fill(call));
    await db.deleteFrom("call_minutes").execute();
    await db.updateTable("calls").set({ rolled_up: 0 }).execute();
    await insert(db, [call, call]);
    assert.equal(await counted(db), 2);
    assert.equal(await countEarlierCalls(db, 10), true);
    assert.equal(await counted(db), 12);
    // Two processes at once, and others who bring in more meanwhile.
    await Promise.all([countEarlierCalls(db, 10), insert(db, [call]), countEarlierCalls(db, 10), insert(db, [call])]);
    assert.equal(await countEarlierCalls(db, 10), false);
    assert.equal(await counted(db), 29);
  });

  it("old minutes are deleted in slices, young ones stay", async () => {
    const db = await openCalls();
    const minutes = [0, 1, 2, 3, 4].map((minute) => ({ ...call, at: START + minute * MINUTE }));
    await insert(db, minutes);
    const before = START + 3 * MINUTE + 1;
    assert.equal(await deleteCallStatsBefore(db, before, 2), true);
    assert.equal(await counted(db), 3);
    assert.equal(await deleteCallStatsBefore(db, before, 2), false);
    assert.equal(await counted(db), 2);
  });
});
