import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { CALL_METHODS, CALL_OUTCOMES } from "#lib/call-vocabulary";
import type { CallsDb } from "#storage/database";
import { forEachDatabase } from "#test/databases";
import { seedFor } from "#test/seed";
import {
  type CallRecord,
  type CallStats,
  countEarlierCalls,
  countEarlierDay,
  deleteCallStatsBefore,
  LogNames,
  moveCalls,
  readCallStats,
  type StatsWanted,
  type Tally,
} from "./index.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** As the migration sets it. */
const NO_DAYS = 9_000_000_000;
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
const COUNTED = ["call_minutes", "call_spans", "call_hours", "call_days", "call_day_durations"] as const;
type Chosen = Omit<StatsWanted["filters"], "methods"> & { readonly method?: CallRecord["method"] };

function withMethods({ method, ...filters }: Chosen): StatsWanted["filters"] {
  return { ...filters, methods: method && [method] };
}

const wanted = { from: START, to: START + 10 * MINUTE, minutesPerPoint: 1, top: 10, filters: {} };

forEachDatabase("statistics of calls", (open) => {
  let spools = 0;
  const openCalls = async () => (await open()).databases.calls;
  const insert = (db: CallsDb, records: readonly CallRecord[], names = new LogNames()) =>
    moveCalls(db, names, { spool: `spl_${++spools}`, from: 0, to: 10, records }, 1);
  const counted = async (db: CallsDb, change: Partial<StatsWanted> = {}) =>
    (await readCallStats(db, { ...wanted, ...change })).totals.calls;

  const setDaysFrom = (db: CallsDb, value: number) =>
    db.updateTable("log_counters").set({ value }).where("name", "=", "days_from").execute();

  it("agree with the log for any content and any query", async (t) => {
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
      for (const table of ["calls", ...COUNTED] as const) await db.deleteFrom(table).execute();
      const records = changes.map((change) => ({ ...call, ...change }));
      // Two steps; the second updates minutes that exist already.
      await insert(db, records.slice(0, records.length / 2));
      await insert(db, records.slice(records.length / 2));
      const matching = records.filter(
        (each) =>
          each.at >= wanted.from &&
          each.at < wanted.to &&
          Object.entries(asked).every(([name, value]) => each[name as keyof typeof asked] === value), // its own keys
      );
      const stats = await readCallStats(db, { ...wanted, filters: withMethods(asked) });
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

  it("are the same from minutes and from the tables for long ranges, for any range", async (t) => {
    const db = await openCalls();
    const record = fc.record({
      at: fc.integer({ min: START - 150 * MINUTE, max: START + 150 * MINUTE }),
      method: fc.constantFrom("tools/call", "tools/list"),
      userEmail: fc.constantFrom("ann@example.com", "bob@example.com"),
      serverSlug: fc.constantFrom(undefined, "github", "linear"),
      tool: fc.constantFrom(undefined, "create", "list"),
      outcome: fc.constantFrom("ok", "timeout"),
      durationUs: fc.integer({ min: 0, max: 10_000_000 }),
    });
    // Hours with points of ten minutes, and days with points of a day.
    const scale = fc.constantFrom({ factor: 1, minutesPerPoint: 10 }, { factor: 60, minutesPerPoint: 24 * 60 });
    const ends = fc.tuple(fc.integer({ min: -160, max: 0 }), fc.integer({ min: 1, max: 160 }), scale);
    const filters = fc.record(
      {
        method: fc.constant("tools/call"),
        outcome: fc.constant("timeout"),
        serverSlug: fc.constant("github"),
        tool: fc.constant("create"),
        userEmail: fc.constant("ann@example.com"),
      },
      { requiredKeys: [] },
    );
    const shownOf = (tally: Tally) => [tally.calls, tally.outcomes, tally.mean(), tally.quantile(0.95)];
    const property = fc.asyncProperty(fc.array(record, { maxLength: 40 }), ends, filters, async (drawn, ...asked) => {
      for (const table of ["calls", ...COUNTED] as const) await db.deleteFrom(table).execute();
      const [[from, to, { factor, minutesPerPoint }], chosen] = asked;
      const changes = drawn.map((each) => ({ ...each, at: START + (each.at - START) * factor }));
      await insert(
        db,
        changes.map((change) => ({ ...call, ...change }) as CallRecord), // constants of this test
      );
      const span = { from: START + from * factor * MINUTE, to: START + to * factor * MINUTE };
      const quick = { ...wanted, ...span, minutesPerPoint, filters: withMethods(chosen as Chosen) };
      const stats = await readCallStats(db, quick);
      const slow = await readCallStats(db, { ...quick, minutesPerPoint: 1 });
      assert.deepEqual(shownOf(stats.totals), shownOf(slow.totals));
      const shown = ({ servers, tools, users }: CallStats) =>
        [...servers, ...tools, ...users].map(({ tally, ...names }) => [names, shownOf(tally)]);
      // Without days, as before the job of an upgrade has counted them.
      await setDaysFrom(db, NO_DAYS);
      const uncounted = await readCallStats(db, quick);
      await setDaysFrom(db, 0);
      assert.deepEqual(shown(stats), shown(uncounted));
      assert.deepEqual(
        stats.series.map(({ at, tally }) => [at, shownOf(tally)]),
        uncounted.series.map(({ at, tally }) => [at, shownOf(tally)]),
      );
      const matching = changes.filter(
        ({ at, ...each }) =>
          at >= span.from &&
          at < span.to &&
          Object.entries(chosen).every(([name, value]) => each[name as keyof typeof chosen] === value), // its own keys
      );
      assert.equal(stats.totals.calls, matching.length);
      for (const { userEmail, tally } of stats.users) {
        assert.equal(tally.calls, matching.filter((each) => each.userEmail === userEmail).length);
      }
      const byServer = Map.groupBy(matching, ({ serverSlug }) => serverSlug);
      byServer.delete(undefined);
      assert.deepEqual(
        new Map(stats.servers.map(({ serverSlug, tally }) => [serverSlug, tally.calls])),
        new Map([...byServer].map(([slug, own]) => [slug, own.length])),
      );
      const most = stats.users.map(({ tally }) => tally.calls);
      assert.deepEqual(
        most,
        most.toSorted((a, b) => b - a),
      );
    });
    await fc.assert(property, { seed: seedFor(t), numRuns: 40 });
  });

  it("report percentiles within 20% of the true value, and none for calls that never ended", async () => {
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

  it("list the entries with the most calls first, and no more than requested", async () => {
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

  it("count calls of an earlier release later in slices, each call once", async () => {
    const db = await openCalls();
    await insert(db, Array(25).fill(call));
    for (const table of COUNTED) await db.deleteFrom(table).execute();
    await db.updateTable("calls").set({ rolled_up: 0 }).execute();
    await insert(db, [call, call]);
    assert.equal(await counted(db), 2);
    assert.equal(await countEarlierCalls(db, 10), true);
    assert.equal(await counted(db), 12);
    // Two processes concurrently, while others insert more calls.
    await Promise.all([countEarlierCalls(db, 10), insert(db, [call]), countEarlierCalls(db, 10), insert(db, [call])]);
    assert.equal(await countEarlierCalls(db, 10), false);
    assert.equal(await counted(db), 29);
  });

  it("count the days of an earlier release later, newest first, while calls arrive", async () => {
    const db = await openCalls();
    const days = [0, 1, 5].map((day) => ({ ...call, at: START + day * DAY }));
    await insert(db, [...days, ...days]);
    await db.deleteFrom("call_days").execute();
    await db.deleteFrom("call_day_durations").execute();
    await setDaysFrom(db, NO_DAYS);
    // A late call of a day that is not counted yet.
    await insert(db, [{ ...call, at: START + DAY }]);
    const range = { from: START - 2 * DAY, to: START + 8 * DAY, minutesPerPoint: 24 * 60 };
    const perDay = async () => {
      const { totals, users } = await readCallStats(db, { ...wanted, ...range });
      const rows = await db
        .selectFrom("call_days")
        .select(["day", "calls"])
        .where("kind", "=", 0)
        .orderBy("day")
        .execute();
      return [totals.calls, users[0]?.tally.calls, rows.map(({ calls }) => calls)];
    };
    assert.deepEqual(await perDay(), [7, 7, [1]]);
    assert.equal(await countEarlierDay(db), true);
    assert.deepEqual(await perDay(), [7, 7, [1, 2]]);
    await Promise.all([countEarlierDay(db), insert(db, [{ ...call, at: START + DAY }])]);
    assert.deepEqual(await perDay(), [8, 8, [4, 2]]);
    while (await countEarlierDay(db));
    assert.deepEqual(await perDay(), [8, 8, [2, 4, 2]]);
    assert.equal(await countEarlierDay(db), false);
  });

  it("are deleted in slices when they are old", async () => {
    const db = await openCalls();
    const minutes = [0, 1, 2, 3, 4].map((minute) => ({ ...call, at: START + minute * MINUTE }));
    await insert(db, minutes);
    const before = START + 3 * MINUTE + 1;
    assert.equal(await deleteCallStatsBefore(db, before, 2), true);
    assert.equal(await counted(db), 3);
    assert.equal(await deleteCallStatsBefore(db, before, 2), false);
    assert.equal(await counted(db), 2);
    await insert(db, [{ ...call, at: START - 100 * 24 * 60 * MINUTE }]);
    while (await deleteCallStatsBefore(db, before, 2));
    for (const table of COUNTED) {
      const rows = await db.selectFrom(table).select("calls").execute();
      // A span on the boundary is kept completely.
      assert.ok(rows.reduce((sum, { calls }) => sum + calls, 0) <= 20, table);
    }
  });
});
