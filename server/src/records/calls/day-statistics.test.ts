import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { type CallRecord, type CallStats, LogNames, moveCalls, readCallStats, type StatsWanted } from "./index.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MIDNIGHT = 19_445 * DAY;
const call: CallRecord = {
  requestId: "req_1",
  at: MIDNIGHT,
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

forEachDatabase("statistics of whole days", (open) => {
  it("read whole days from the day tables for everyone, a server, a tool, and a user", async () => {
    const db = (await open()).databases.calls;
    const range = { from: MIDNIGHT, to: MIDNIGHT + 3 * DAY, minutesPerPoint: 24 * 60 };
    const places = [
      { serverSlug: "github", tool: "search" },
      { serverSlug: "linear", tool: "search" },
      { serverSlug: undefined, tool: "search" },
      { serverSlug: "github", tool: "create_issue" },
    ];
    const records = places.flatMap((place, at) =>
      [0, 1, 2].map((day) => ({ ...call, ...place, at: MIDNIGHT + day * DAY + at * MINUTE })),
    );
    await moveCalls(db, new LogNames(), { spool: "spl_1", from: 0, to: 10, records }, 1);
    const perTool = (stats: CallStats) => stats.tools.map(({ serverSlug, tally }) => [serverSlug, tally.calls]);
    const perServer = (stats: CallStats) => stats.servers.map(({ serverSlug, tally }) => [serverSlug, tally.calls]);
    const seen = async (filters: Omit<StatsWanted["filters"], "methods">, top = 10) => {
      const stats = await readCallStats(db, {
        ...range,
        top,
        filters: { ...filters, methods: ["tools/call"] },
      });
      const perDay = stats.series.map(({ tally }) => tally.calls);
      return { perDay, servers: perServer(stats), tools: perTool(stats) };
    };
    const ofTool = await seen({ tool: "search" });
    await db.deleteFrom("call_minutes").execute();
    await db.deleteFrom("call_spans").execute();
    await db.deleteFrom("call_hours").execute();
    assert.deepEqual(await seen({ tool: "search" }), ofTool);
    assert.deepEqual(ofTool.perDay, [3, 3, 3]);
    assert.deepEqual(
      new Map(ofTool.servers as [string, number][]),
      new Map([
        ["github", 3],
        ["linear", 3],
      ]),
    );
    assert.deepEqual(
      new Map(ofTool.tools as [string, number][]),
      new Map([
        ["github", 3],
        ["linear", 3],
        ["", 3],
      ]),
    );
    assert.deepEqual((await seen({ tool: "search" }, 1)).servers.length, 1);
    assert.deepEqual(await seen({ tool: "search", serverSlug: "linear" }), {
      ...{ perDay: [1, 1, 1], servers: [["linear", 3]], tools: [["linear", 3]] },
    });
    const server = await seen({ serverSlug: "github" });
    assert.deepEqual([server.perDay, server.servers], [[2, 2, 2], [["github", 6]]]);
    assert.deepEqual(server.tools, [
      ["github", 3],
      ["github", 3],
    ]);
    assert.deepEqual((await seen({})).perDay, [4, 4, 4]);
    assert.deepEqual((await seen({ userEmail: "ann@example.com" })).perDay, [4, 4, 4]);
    assert.deepEqual((await seen({ tool: "search", outcome: "ok" })).perDay, [3, 3, 3]);
    assert.deepEqual((await seen({ tool: "search", outcome: "timeout" })).perDay, [0, 0, 0]);
  });
});
