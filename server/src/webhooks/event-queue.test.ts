import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { MainDb } from "#storage/database";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { disturbed } from "#test/disturbed-db";
import { newWebhookRow } from "#test/webhook-fixture";
import { EventQueue } from "./event-queue.ts";

forEachDatabase("events of the gateway", (open) => {
  let db: MainDb;
  const clock = testClock();
  const logger = createLogger("silent");
  before(async () => {
    db = (await open()).databases.main;
    await db
      .insertInto("webhooks")
      .values(newWebhookRow("whk_1", ["guard.blocked"]))
      .execute();
  });
  beforeEach(() => db.deleteFrom("webhook_deliveries").execute());
  const context = () => ({ db, clock, newId: createIds(clock, systemRandom) });
  const stored = async () => {
    const rows = await db.selectFrom("webhook_deliveries").select("payload").orderBy("id").execute();
    return rows.map(({ payload }) => JSON.parse(payload).data);
  };

  it("are stored a second later, and those that can be combined become one with their number", async () => {
    const queue = new EventQueue({ context: context(), clock, logger });
    queue.offer("guard.blocked", { guard: "cards" }, "cards");
    queue.offer("guard.blocked", { guard: "cards" }, "cards");
    queue.offer("guard.blocked", { guard: "names" }, "names");
    assert.deepEqual(await stored(), []);
    clock.advance(1_000);
    await queue.flush();
    const data = await stored();
    assert.deepEqual(
      data.sort((a, b) => b.count - a.count),
      [
        { guard: "cards", count: 2 },
        { guard: "names", count: 1 },
      ],
    );
  });

  it("beyond the limit are dropped and counted", async () => {
    const queue = new EventQueue({ context: context(), clock, logger, maxQueued: 3 });
    for (let n = 0; n < 10; n++) queue.offer("guard.blocked", { n });
    await queue.flush();
    assert.deepEqual([queue.dropped, (await stored()).length], [7, 3]);
  });

  it("wait in memory while the database is unavailable", async () => {
    let isAway = true;
    const beforeQuery = () => {
      if (isAway) throw new Error("away");
    };
    const needs = { context: { ...context(), db: disturbed(db, { beforeQuery }) }, clock, logger };
    const queue = new EventQueue(needs);
    queue.offer("guard.blocked", { n: 1 }, "same");
    await queue.flush();
    isAway = false;
    queue.offer("guard.blocked", { n: 2 }, "same");
    await queue.flush();
    assert.deepEqual(await stored(), [{ n: 1, count: 2 }]);
  });
});
