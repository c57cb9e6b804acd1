import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { shippingKit } from "#test/log-shipping-kit";
import { checkQueues } from "./check-queues.ts";
import { collect } from "./finding.ts";

const HOUR_MS = 60 * 60 * 1000;

forEachDatabase("the check of log destinations by doctor", (open) => {
  const kit = shippingKit(open);
  const { start, create, log, cursor, until, untilCurrent } = kit;
  const find = async (now = kit.clock.now()) => {
    const finding = (await collect(checkQueues(kit.databases, now))).find(({ check }) => check === "Log destinations");
    assert.ok(finding);
    return finding;
  };

  it("names positions, and one that is stuck since an hour although no attempt failed", async () => {
    assert.equal((await find()).message, "No log destination is enabled.");
    const row = await create({ name: "Collector" });
    await log(3);
    const { position } = await cursor(row);
    const { status, message } = await find();
    assert.deepEqual([status, message], ["ok", `Positions: Collector calls ${position} (3 waiting).`]);
    const stuck = await find(kit.clock.now() + 2 * HOUR_MS);
    assert.deepEqual(
      [stuck.status, stuck.message, stuck.advice],
      ["warning", "Logs wait for these destinations: Collector.", "Run: gatehouse log-destinations list"],
    );
  });

  it("names one that fails, and not a paused one", async () => {
    kit.receiver.answer = (response) => void response.writeHead(500).end();
    const row = await create({ name: "Collector" });
    await create({ name: "Paused", enabled: false });
    await log(1);
    start();
    await until(async () => (await cursor(row)).failures > 0, "an attempt failed");
    assert.equal((await find()).message, "Logs wait for these destinations: Collector.");
  });

  it("names one with records that retention deleted in the last 7 days", async () => {
    const row = await create({ name: "Collector" });
    await log(1);
    start();
    await untilCurrent(row);
    const lost = { lost: 4, lost_at: kit.clock.now() };
    await kit.databases.main.updateTable("log_cursors").set(lost).where("destination_id", "=", row.id).execute();
    const { status, message } = await find();
    assert.equal(status, "warning");
    assert.equal(message, "In the last 7 days, retention deleted records before they were sent to: Collector.");
    assert.equal((await find(kit.clock.now() + 8 * 24 * HOUR_MS)).status, "ok");
  });
});
