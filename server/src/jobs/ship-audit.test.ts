import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { auditLog } from "#test/audit-log";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { verifyAuditJob } from "./audit-chain.ts";
import { shipAuditJob } from "./ship-audit.ts";

forEachDatabase("shipping of the audit log", (open) => {
  it("appends entries and checkpoints to the file once, in order", async () => {
    const { databases, dataDir } = await open();
    const log = auditLog(databases.main, testClock());
    const auditFile = join(dataDir, "audit.jsonl");
    const job = shipAuditJob({ ...log, auditFile });
    const lines = async () =>
      (await readFile(auditFile, "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    for (let n = 0; n < 3; n++) await log.write(n);
    await job.run();
    await verifyAuditJob(log).run();
    await job.run();
    await job.run();
    await log.write(4);
    await job.run();
    assert.deepEqual(
      (await lines()).map(({ type, seq }) => `${type} ${seq}`),
      ["entry 1", "entry 2", "entry 3", "checkpoint 3", "entry 4"],
    );
    assert.equal((await stat(auditFile)).mode & 0o777, 0o600);
  });

  it("sends entries to webhooks from the time of their subscription", async () => {
    const { databases } = await open();
    const db = databases.main;
    const log = auditLog(db, testClock());
    const job = shipAuditJob({ ...log, auditFile: undefined });
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
