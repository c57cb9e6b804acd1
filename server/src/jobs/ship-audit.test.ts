import assert from "node:assert/strict";
import { it } from "node:test";
import { auditLog } from "#test/audit-log";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { shipAuditJob } from "./ship-audit.ts";

forEachDatabase("shipping of the audit log", (open) => {
  it("sends entries to webhooks from the time of their subscription", async () => {
    const { databases } = await open();
    const db = databases.main;
    const log = auditLog(db, testClock());
    const job = shipAuditJob(log.context);
    await log.write(1);
    await job.run();
    const webhook = {
      ...{ id: "whk_1", name: "Archive", name_key: "archive", url: "https://example.com", format: "json" },
      ...{
        events: ["audit.entry"],
        enabled: true,
        sealed_secret: "x",
        created_by: "ada@example.com",
        created_at: 0,
        updated_at: 0,
      },
    };
    await db
      .insertInto("webhooks")
      .values(webhook as never)
      .execute();
    await job.run();
    await log.write(2);
    await job.run();
    await job.run();
    const sent = await db.selectFrom("webhook_deliveries").select(["event_type", "payload"]).execute();
    assert.deepEqual(
      sent.map(({ event_type, payload }) => [event_type, JSON.parse(payload).data.seq]),
      [["audit.entry", 2]],
    );
  });
});
