import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { retentionJobs } from "#jobs/retention";
import { systemRandom } from "#lib/random";
import type { Databases } from "#storage/database";
import { newDelivery } from "#storage/event-outbox";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { newWebhookRow } from "#test/webhook-fixture";
import { addAttempt, attemptsOf, isWebhookSecret, newWebhookSecret, trimDeliveries } from "./index.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

forEachDatabase("the delivery log", (open) => {
  let databases: Databases;
  const clock = testClock();
  before(async () => {
    databases = (await open()).databases;
    const rows = ["whk_1", "whk_2"].map((id) => newWebhookRow(id, ["tools.held"]));
    await databases.main.insertInto("webhooks").values(rows).execute();
  });
  beforeEach(() => databases.main.deleteFrom("webhook_deliveries").execute());
  const add = async (webhook_id: string, times: readonly number[]) => {
    const event = { event_id: "evt_1", event_type: "tools.held", payload: "{}", format: "json" } as const;
    const rows = times.map((at, n) => newDelivery({ ...event, id: `whd_${webhook_id}_${n}`, webhook_id, at }));
    await databases.main.insertInto("webhook_deliveries").values(rows).execute();
  };
  const left = async () => {
    const rows = await databases.main.selectFrom("webhook_deliveries").select("id").orderBy("id").execute();
    return rows.map(({ id }) => id);
  };

  it("keeps deliveries for 30 days, and deletes previous secrets that have expired", async () => {
    await add("whk_1", [clock.now() - 31 * DAY_MS, clock.now() - 29 * DAY_MS]);
    const expired = { sealed_previous_secret: "1.old", previous_secret_expires_at: clock.now() };
    await databases.main.updateTable("webhooks").set(expired).where("id", "=", "whk_1").execute();
    const job = retentionJobs({ databases, clock }).find(({ name }) => name === "forget-webhook-deliveries");
    await job?.run();
    assert.deepEqual(await left(), ["whd_whk_1_1"]);
    const [row] = await databases.main.selectFrom("webhooks").selectAll().where("id", "=", "whk_1").execute();
    assert.deepEqual([row?.sealed_previous_secret, row?.previous_secret_expires_at], [null, null]);
  });

  it("keeps the newest deliveries of each webhook, also of those in the same millisecond", async () => {
    await add("whk_1", [1, 2, 3, 3, 3]);
    await add("whk_2", [1, 2]);
    await trimDeliveries(databases.main, 2);
    assert.deepEqual(await left(), ["whd_whk_1_3", "whd_whk_1_4", "whd_whk_2_0", "whd_whk_2_1"]);
  });

  it("keeps 50 attempts of a delivery", async () => {
    await add("whk_1", [1]);
    for (let n = 0; n < 55; n++) {
      const row = { delivery_id: "whd_whk_1_0", at: n, duration_ms: 1, status: 500, error: "no", response: null };
      await databases.main.transaction().execute((tx) => addAttempt(tx, { ...row, id: `wha_${n}` }));
    }
    const kept = await attemptsOf(databases.main, "whd_whk_1_0");
    assert.deepEqual([kept.length, kept[0]?.at], [50, 5]);
  });
});

describe("a signing secret", () => {
  it("is 24 to 64 bytes in canonical base64 after whsec_", () => {
    assert.ok(isWebhookSecret(newWebhookSecret(systemRandom)));
    const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString("base64")}`;
    for (const bytes of [24, 25, 26, 32, 64]) assert.ok(isWebhookSecret(secretOf(bytes)), `${bytes}`);
    for (const bytes of [0, 23, 65, 1_000]) assert.ok(!isWebhookSecret(secretOf(bytes)), `${bytes}`);
    const valid = secretOf(32);
    for (const text of ["", valid.slice(6), `${valid}=`, `${valid}\n`, valid.replace(/=$/, ""), valid.toUpperCase()])
      assert.ok(!isWebhookSecret(text), text);
  });
});
