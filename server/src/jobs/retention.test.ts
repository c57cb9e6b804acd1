import assert from "node:assert/strict";
import { before, it } from "node:test";
import { type CallRecord, LogNames, moveCalls } from "#records/calls";
import type { Databases } from "#storage/database";
import { auditLog } from "#test/audit-log";
import { type TestClock, testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { forgetAuditJob } from "./audit-chain.ts";
import { retentionJobs } from "./retention.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const OLD = 57;
const YOUNG = 3;

forEachDatabase("retention", (open) => {
  let databases: Databases;
  let clock: TestClock;
  let turn: () => Promise<void>;

  before(async () => {
    databases = (await open()).databases;
    clock = testClock();
    const pace = { rowsPerSlice: 10, slicesPerTurn: 2 };
    const audit = forgetAuditJob(auditLog(databases.main, clock), pace);
    const jobs = [...retentionJobs({ databases, clock }, pace), audit];
    assert.ok(jobs.every((job) => job.oncePerOrganization));
    turn = async () => {
      for (const job of jobs) await job.run();
    };
    const now = clock.now();
    const call = {
      method: "tools/call",
      userId: "usr_1",
      userEmail: "ann@example.com",
      serverSlug: "github",
      tool: "create_issue",
      requestBytes: 120,
      outcome: "ok",
      durationUs: 1_500,
      responseBytes: 80,
      error: undefined,
    } as const;
    // Many rows share a millisecond, so that a slice ends among them.
    const times = (days: number) => [...Array(OLD).fill(now - days * DAY_MS), ...Array(YOUNG).fill(now)];
    const records: CallRecord[] = times(90).map((at, i) => ({ ...call, at, requestId: `req_${i}` }));
    await moveCalls(databases.calls, new LogNames(), { spool: "spl_1", from: 0, to: 1, records }, now);
    const row = { actor_kind: "a", actor_id: "a", actor_name: "a", operation: "o", request_id: "r" };
    const target = { target_kind: "t", target_id: "t", target_name: "t", before: null, after: null };
    await databases.main
      .insertInto("audit")
      .values(times(365).map((at, i) => ({ ...row, ...target, at, id: `aud_${i}` })))
      .execute();
  });
  const left = async () => {
    const calls = await databases.calls.selectFrom("calls").select("id").execute();
    const audit = await databases.main.selectFrom("audit").select("id").execute();
    return [calls.length, audit.length];
  };

  it("keeps rows that are exactly as old as the settings allow", async () => {
    await turn();
    assert.deepEqual(await left(), [OLD + YOUNG, OLD + YOUNG]);
  });

  it("deletes older rows in slices, a limited number per run, and nothing else", async () => {
    clock.advance(1);
    for (const old of [OLD - 20, OLD - 40, 0, 0]) {
      await turn();
      assert.deepEqual(await left(), [old + YOUNG, old + YOUNG]);
    }
    clock.advance(365 * DAY_MS);
    await turn();
    assert.deepEqual(await left(), [0, 0]);
  });
});
