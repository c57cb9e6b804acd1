/**
 * How long statistics over 80 days of 1,000,000 calls take on SQLite, without a filter and with each filter. Nearly every
 * call has its own minute, server, tool and user, so that minutes are as many as calls.
 */
import assert from "node:assert/strict";
import { it } from "node:test";
import { type CallRecord, LogNames, moveCalls, readCallStats, type StatsWanted } from "#records/calls";
import type { CallsDb } from "#storage/database";
import { openTestSqlite } from "../databases.ts";

const CALLS = 1_000_000;
const BATCH = 5_000;
const DAYS = 80;
const SERVERS = 20;
const TOOLS = 200;
const USERS = 300;
const ROUNDS = 5;
const DAY_MS = 86_400_000;
const START = 19_000 * DAY_MS;

const FILTERS: Readonly<Record<string, Partial<StatsWanted["filters"]>>> = {
  "no filter": {},
  server: { serverSlug: "server_1" },
  tool: { tool: "tool_1" },
  user: { userEmail: "user_1@example.com" },
  outcome: { outcome: "timeout" },
  method: { methods: ["tools/call"] },
  "server and tool": { serverSlug: "server_1", tool: "tool_1" },
  "server and user": { serverSlug: "server_1", userEmail: "user_1@example.com" },
  "tool and user": { tool: "tool_1", userEmail: "user_1@example.com" },
  "server, tool and user": { serverSlug: "server_1", tool: "tool_1", userEmail: "user_1@example.com" },
  "tool and outcome": { tool: "tool_1", outcome: "timeout" },
};

it("measures statistics over 80 days of 1,000,000 calls on SQLite", async (t) => {
  const { databases, close } = await openTestSqlite();
  try {
    await fill(databases.calls);
    for (const [name, filters] of Object.entries(FILTERS)) {
      const wanted = { from: START, to: START + DAYS * DAY_MS, minutesPerPoint: 24 * 60, top: 10 };
      const times: number[] = [];
      const cpuTimes: number[] = [];
      let calls = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const startedAt = performance.now();
        const cpuBefore = process.cpuUsage();
        const { totals } = await readCallStats(databases.callReports, {
          ...wanted,
          filters: { methods: undefined, ...filters },
        });
        const { user, system } = process.cpuUsage(cpuBefore);
        times.push(performance.now() - startedAt);
        cpuTimes.push((user + system) / 1_000);
        calls = totals.calls;
      }
      assert.ok(calls > 0, name);
      t.diagnostic(`${name}: ${calls} calls, ${range(times)} s, ${range(cpuTimes)} s of processor time`);
    }
  } finally {
    await close();
  }
});

async function fill(db: CallsDb): Promise<void> {
  const names = new LogNames();
  for (let from = 0; from < CALLS; from += BATCH) {
    const records = Array.from({ length: BATCH }, (_, at) => recordOf(from + at));
    assert.ok(await moveCalls(db, names, { spool: `spl_${from}`, from: 0, to: 1, records }, 1));
  }
}

/** Steps that share no factor with each other, so that all combinations appear. */
function recordOf(at: number): CallRecord {
  const tool = (at * 7 + Math.floor(at / TOOLS)) % TOOLS;
  const user = (at * 11 + Math.floor(at / 31)) % USERS;
  return {
    ...{ requestId: `req_${at}`, at: START + Math.floor((at * DAYS * DAY_MS) / CALLS), method: "tools/call" },
    ...{ userId: `usr_${user}`, userEmail: `user_${user}@example.com` },
    ...{ serverSlug: `server_${tool % SERVERS}`, tool: `tool_${tool}` },
    ...{ requestBytes: 120, responseBytes: 80, error: undefined },
    ...{ outcome: at % 50 === 0 ? "timeout" : "ok", durationUs: 500 + ((at * 37) % 90_000) },
  };
}

/** In seconds. */
function range(milliseconds: readonly number[]): string {
  const [least, most] = [Math.min(...milliseconds), Math.max(...milliseconds)];
  return `${(least / 1_000).toFixed(2)} to ${(most / 1_000).toFixed(2)}`;
}
