import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { onSqlite } from "#test/databases";
import { startService } from "#test/start-service";
import { startWebhookReceiver } from "#test/webhook-receiver";

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    if (await isTrue()) return;
    await sleep(50);
  }
  assert.fail("not within a minute");
}

onSqlite("metrics of log destinations", (open) => {
  it("report waiting and lost records and failures per destination and log", async (t) => {
    const database = await open();
    const receiver = await startWebhookReceiver();
    t.after(() => receiver.close());
    receiver.answer = (response) => void response.writeHead(500).end();
    const first = await startService(database);
    const body = { name: 'The "archive"', kind: "webhook", sources: ["audit"], url: receiver.url };
    assert.equal((await first.api("POST", "/api/log-destinations", body)).status, 201);
    await until(async () => {
      const { data } = (await first.api("GET", "/api/log-destinations")).body;
      return data[0].status === "failing";
    });
    await first.close();
    const { main } = database.databases;
    await main.updateTable("log_cursors").set({ lost: 7 }).where("source", "=", "audit").execute();
    const { position } = await main
      .selectFrom("log_cursors")
      .select("position")
      .where("source", "=", "audit")
      .executeTakeFirstOrThrow();
    const { seq } = await main.selectFrom("audit_chain").select("seq").executeTakeFirstOrThrow();
    // A process measures the lags when it starts to ship.
    const second = await startService(database, { config: { metricsPort: 0 } });
    t.after(() => second.close());
    const labels = (source: string) => `{destination="The \\"archive\\"",source="${source}"}`;
    const measured = (metrics: string, name: string, source = "audit") =>
      Number(metrics.split(`gatehouse_log_shipping_${name}${labels(source)} `)[1]?.split("\n")[0]);
    let scraped = "";
    await until(async () => {
      scraped = await (await fetch(`${second.metricsUrl}/metrics`)).text();
      return scraped.includes(`gatehouse_log_shipping_failing${labels("audit")}`);
    });
    assert.equal(measured(scraped, "lag_records"), seq - position);
    assert.ok(measured(scraped, "lag_seconds") >= 0);
    assert.equal(measured(scraped, "lost_records"), 7);
    assert.equal(measured(scraped, "failing"), 1);
    assert.equal(measured(scraped, "lag_records", "checkpoints"), 0);
    assert.equal(measured(scraped, "failing", "checkpoints"), 0);
  });
});
