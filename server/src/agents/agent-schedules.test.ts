import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { nextRunAt } from "#records/agents";
import type { AgentRow } from "#storage/agent-tables";
import type { MainDb } from "#storage/database";
import { openVault } from "#storage/open-vault";
import type { Vault } from "#storage/vault";
import { wrappingKey } from "#storage/wrapping-key";
import { newAgent } from "#test/agent-rows";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { noStepGuards } from "#test/step-guards";
import { runDueSchedules } from "./agent-schedules.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOON = Date.UTC(2026, 0, 1, 12);
const SCHEDULE = { cron: "0 * * * *", timezone: "UTC", input: "Look around", enabled: true };

forEachDatabase("schedules of agents", (open) => {
  let db: MainDb;
  let vault: Vault;
  let clock: ReturnType<typeof testClock>;
  let woken = 0;
  const run = () =>
    runDueSchedules({
      ...{ db, vault, clock, newId: createIds(clock, systemRandom), logger: createLogger("silent") },
      stepGuards: noStepGuards(),
      wake: () => woken++,
    });
  const insert = async (changes: Partial<AgentRow> = {}) => {
    const row = { ...newAgent("agt_a", "active"), schedule: SCHEDULE, next_run_at: NOON, ...changes };
    await db.insertInto("agents").values(row).execute();
  };
  const sessions = () => db.selectFrom("agent_sessions").selectAll().orderBy("created_at").execute();
  const agent = () => db.selectFrom("agents").selectAll().executeTakeFirstOrThrow();
  const audits = async () =>
    (await db.selectFrom("audit").select("operation").execute()).map(({ operation }) => operation);

  beforeEach(async () => {
    db = (await open()).databases.main;
    clock = testClock(NOON);
    vault = await openVault(db, [wrappingKey(Buffer.alloc(32, 1))], { clock, logger: createLogger("silent") });
    woken = 0;
  });

  it("start a session when they are due, and plan the next one", async () => {
    clock = testClock(NOON - 1);
    await insert();
    await run();
    assert.deepEqual(await sessions(), []);
    clock.advance(1);
    await run();
    await run();
    const [session, ...more] = await sessions();
    assert.deepEqual(
      [session?.cause, session?.input, session?.status, more],
      ["schedule", "Look around", "queued", []],
    );
    assert.equal((await agent()).next_run_at, NOON + HOUR_MS);
    assert.deepEqual([woken, await audits()], [1, ["runAgentSchedule"]]);
  });

  it("start one session if two processes run them at the same time", async () => {
    await insert();
    await Promise.all(Array.from({ length: 8 }, run));
    assert.equal((await sessions()).length, 1);
  });

  it("catch up one run that is less than an hour late, and skip older ones", async () => {
    await insert({ schedule: { ...SCHEDULE, cron: "* * * * *" } });
    clock.advance(HOUR_MS - 1);
    await run();
    assert.equal((await sessions()).length, 1, "one for all that were missed");
    assert.equal((await agent()).next_run_at, NOON + HOUR_MS);
    await db.deleteFrom("agent_sessions").execute();
    clock.advance(2 * HOUR_MS);
    await run();
    const { next_run_at: next, skipped_at: skipped } = await agent();
    assert.deepEqual([(await sessions()).length, skipped], [0, clock.now()]);
    assert.ok(next !== null && next > clock.now() && next <= clock.now() + MINUTE_MS);
    assert.ok((await audits()).includes("skipAgentSchedule"));
  });

  it("run once per local day across both changes of daylight saving time", async () => {
    // 02:30 does not exist on 29 March 2026 in Berlin, and exists twice on 25 October.
    const berlin = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Berlin", dateStyle: "short" });
    const schedule = { ...SCHEDULE, cron: "30 2 * * *", timezone: "Europe/Berlin" };
    await insert({ schedule });
    for (const [start, days] of [
      [Date.UTC(2026, 2, 27, 12), ["2026-03-28", "2026-03-29", "2026-03-30"]],
      [Date.UTC(2026, 9, 23, 12), ["2026-10-24", "2026-10-25", "2026-10-26"]],
    ] as const) {
      clock = testClock(start);
      await db
        .updateTable("agents")
        .set({ next_run_at: nextRunAt({ status: "active", schedule }, start) })
        .execute();
      const ran: string[] = [];
      for (let step = 0; step < 3 * 24 * 4; step++) {
        clock.advance(15 * MINUTE_MS);
        await run();
        ran.push(...(await sessions()).map(({ created_at: at }) => berlin.format(at)));
        await db.deleteFrom("agent_sessions").execute();
      }
      assert.deepEqual(ran, days);
    }
  });

  it("follow a changed time zone, and catch up at most once", async () => {
    const schedule = { ...SCHEDULE, cron: "0 9 * * *", timezone: "Asia/Tokyo" };
    // Due at noon by the old time zone; in Tokyo it is 21:00.
    await insert({ schedule });
    clock.advance(10 * MINUTE_MS);
    await run();
    await run();
    assert.equal((await sessions()).length, 1);
    assert.equal((await agent()).next_run_at, Date.UTC(2026, 0, 2, 0), "09:00 in Tokyo");
  });

  it("skip a run while the session of the previous one is open", async () => {
    await insert();
    await run();
    clock.advance(HOUR_MS);
    await run();
    assert.equal((await sessions()).length, 1);
    assert.deepEqual(
      [(await agent()).skipped_at, (await audits()).sort()],
      [NOON + HOUR_MS, ["runAgentSchedule", "skipAgentSchedule"]],
    );
    await db.updateTable("agent_sessions").set({ status: "completed", ended_at: clock.now() }).execute();
    clock.advance(HOUR_MS);
    await run();
    assert.equal((await sessions()).length, 2);
  });

  it("start nothing for a paused agent, and skip a run while too many sessions wait", async () => {
    await insert({ status: "paused" });
    await run();
    assert.deepEqual(await sessions(), []);
  });
});
