import assert from "node:assert/strict";
import { it } from "node:test";
import type { CallOutcome } from "#lib/call-vocabulary";
import { forEachDatabase } from "#test/databases";
import { type CallRecord, failingServers, LogNames, moveCalls, recentCallsOf } from "./index.ts";

const AT = 1_700_000_000_000;

function call(serverSlug: string, number: number, outcome: CallOutcome = "ok", error?: string): CallRecord {
  const who = { userId: "usr_1", userEmail: "ann@example.com", requestBytes: 1, responseBytes: 1, error };
  const what = { method: "tools/call" as const, serverSlug, tool: "t", outcome };
  return { ...who, ...what, requestId: `req_${number}`, at: AT + number, durationUs: number * 1_000 };
}

forEachDatabase("the last calls of servers", (open) => {
  it("are at most twenty per server, and only those that were sent to it", async () => {
    const { calls: db } = (await open()).databases;
    const records = [
      ...Array.from({ length: 30 }, (_, n) => call("busy", n + 1)),
      ...[
        call("poor", 40),
        call("poor", 41, "timeout"),
        call("poor", 42, "upstream_failed"),
        call("poor", 43, "denied"),
      ],
      call("dead", 50, "timeout"),
      call("forbidden", 60, "not_connected"),
    ];
    await moveCalls(db, new LogNames(), { spool: "spl_1", from: 0, to: 10, records }, 1);
    const recent = await recentCallsOf(db, ["busy", "poor", "dead", "forbidden", "unknown", "ann@example.com"]);
    const dead = { since: AT + 50, lastAt: AT + 50, outcome: "timeout" as const, error: undefined, durationUs: 50_000 };
    assert.deepEqual(Object.fromEntries(recent), {
      busy: { calls: 20, failed: 0, medianUs: 20_000, lastAt: AT + 30, failure: undefined },
      poor: { calls: 3, failed: 2, medianUs: 40_000, lastAt: AT + 42, failure: undefined },
      dead: { calls: 1, failed: 1, medianUs: undefined, lastAt: AT + 50, failure: dead },
    });
    assert.equal((await recentCallsOf(db, [])).size, 0);
  });

  it("show a failing server when at least 3 of the last 5 failed, and since when", async () => {
    const { calls: db } = (await open()).databases;
    const outcomes = (slug: string, from: number, ...list: CallOutcome[]) =>
      list.map((outcome, n) => call(slug, from + n, outcome, outcome === "ok" ? undefined : `failure ${from + n}`));
    const records = [
      ...outcomes("broken", 100, "ok", "upstream_failed", "upstream_failed", "upstream_failed", "upstream_failed"),
      ...outcomes("flaky", 200, "upstream_failed", "timeout", "upstream_failed", "ok", "ok"),
      ...outcomes("recovered", 300, "timeout", "timeout", "timeout", "timeout", "ok", "ok", "ok"),
      ...outcomes("restarted", 400, "interrupted", "interrupted", "interrupted"),
      ...outcomes("misused", 500, "tool_error", "error", "denied"),
      ...outcomes("paused", 600, "timeout", "timeout", "timeout"),
      call("paused", 603, "upstream_failed", 'Server "paused" is paused after 5 consecutive failures'),
    ];
    await moveCalls(db, new LogNames(), { spool: "spl_1", from: 0, to: 10, records }, 1);
    const recent = await recentCallsOf(db, ["broken", "flaky", "recovered", "restarted", "misused", "paused"]);
    const failures = [...recent].map(([slug, { failure }]) => [slug, failure?.since, failure?.error]);
    assert.deepEqual(failures.sort(), [
      ["broken", AT + 101, "failure 104"],
      ["flaky", AT + 200, "failure 202"],
      ["misused", undefined, undefined],
      ["paused", AT + 600, "failure 602"],
      ["recovered", undefined, undefined],
      ["restarted", undefined, undefined],
    ]);
    assert.deepEqual((await failingServers(db, AT)).sort(), ["broken", "flaky", "paused"]);
    assert.deepEqual(await failingServers(db, AT + 3_600_000), []);
  });
});
