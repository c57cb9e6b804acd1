import assert from "node:assert/strict";
import { it } from "node:test";
import type { CallOutcome } from "#lib/call-vocabulary";
import { forEachDatabase } from "#test/databases";
import { type CallRecord, LogNames, moveCalls, recentCallsOf } from "./index.ts";

const AT = 1_700_000_000_000;

function call(serverSlug: string, number: number, outcome: CallOutcome = "ok"): CallRecord {
  const who = { userId: "usr_1", userEmail: "ann@example.com", requestBytes: 1, responseBytes: 1, error: undefined };
  const what = { method: "tools/call" as const, serverSlug, tool: "t", outcome };
  return { ...who, ...what, requestId: `req_${number}`, at: AT + number, durationUs: number * 1_000 };
}

forEachDatabase("the last calls to servers", (open) => {
  it("are at most twenty per server, and only those that were forwarded to it", async () => {
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
    assert.deepEqual(Object.fromEntries(recent), {
      busy: { calls: 20, failed: 0, medianUs: 20_000, lastAt: AT + 30 },
      poor: { calls: 3, failed: 2, medianUs: 40_000, lastAt: AT + 42 },
      dead: { calls: 1, failed: 1, medianUs: undefined, lastAt: AT + 50 },
    });
    assert.equal((await recentCallsOf(db, [])).size, 0);
  });
});
