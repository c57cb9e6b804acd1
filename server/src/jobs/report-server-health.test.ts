import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import type { CallOutcome } from "#lib/call-vocabulary";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import { type CallRecord, LogNames, moveCalls } from "#records/calls";
import type { Databases } from "#storage/database";
import { type TestClock, testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { newServerRow, newWebhookRow } from "#test/webhook-fixture";
import { reportServerHealthJob } from "./report-server-health.ts";
import type { Job } from "./runner.ts";

forEachDatabase("the health of servers", (open) => {
  let databases: Databases;
  let clock: TestClock;
  let job: Job;
  let moved = 0;
  before(async () => {
    databases = (await open()).databases;
    clock = testClock();
    const db = databases.main;
    job = reportServerHealthJob({ db, clock, newId: createIds(clock, systemRandom) }, databases, clock);
    const rows = [newServerRow("srv_1", "wiki", "active"), newServerRow("srv_2", "draft", "draft")];
    await db.insertInto("mcp_servers").values(rows).execute();
  });
  beforeEach(async () => {
    await databases.main.deleteFrom("webhooks").execute();
  });
  const subscribe = () =>
    databases.main
      .insertInto("webhooks")
      .values(newWebhookRow("whk_1", ["server.unhealthy", "server.healthy"]))
      .execute();
  const calls = async (serverSlug: string, outcome: CallOutcome, count: number, error?: string) => {
    const records = Array.from({ length: count }, (): CallRecord => {
      clock.advance(10);
      const who = { userId: "usr_1", userEmail: "ann@example.com", requestBytes: 1, responseBytes: 1, error };
      const what = { method: "tools/call" as const, serverSlug, tool: "t", outcome };
      return { ...who, ...what, requestId: `req_${moved}_${clock.now()}`, at: clock.now(), durationUs: 1_000 };
    });
    const step = { spool: "spl_1", from: moved, to: moved + 1, records };
    moved++;
    await moveCalls(databases.calls, new LogNames(), step, clock.now());
  };
  const events = async () => {
    const rows = await databases.main.selectFrom("webhook_deliveries").select("payload").orderBy("at").execute();
    return rows.map(({ payload }) => {
      const { type, data } = JSON.parse(payload);
      return [type, data.server.slug, data.status, data.message];
    });
  };

  it("is reported when calls fail and when they work again, once each, and not for drafts", async () => {
    await subscribe();
    for (const slug of ["wiki", "draft"]) await calls(slug, "upstream_failed", 5, "MCP server wiki is unreachable");
    await job.run();
    await job.run();
    const failing = ["server.unhealthy", "wiki", "failing", "MCP server wiki is unreachable"];
    assert.deepEqual(await events(), [failing]);
    clock.advance(1_000);
    await calls("wiki", "ok", 5);
    await job.run();
    await job.run();
    assert.deepEqual(await events(), [failing, ["server.healthy", "wiki", "healthy", undefined]]);
  });

  it("is forgotten while no webhook subscribes", async () => {
    await subscribe();
    await calls("wiki", "timeout", 5, "timed out");
    await job.run();
    await databases.main.deleteFrom("webhooks").execute();
    await calls("wiki", "ok", 5);
    await job.run();
    await subscribe();
    await job.run();
    assert.deepEqual(await events(), []);
  });
});
