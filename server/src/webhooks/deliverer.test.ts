import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, afterEach, before, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { createEgress, type Egress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { WebhookEventType } from "#lib/webhook-events";
import { attemptsOf, claimDeliveries, newWebhookSecret, sealWebhookSecret } from "#records/webhooks";
import type { MainDb } from "#storage/database";
import { openVault } from "#storage/open-vault";
import { writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { WebhookRow } from "#storage/webhook-tables";
import { wrappingKey } from "#storage/wrapping-key";
import { type ShiftableClock, shiftableClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { startWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver";
import { WebhookDeliverer } from "./deliverer.ts";

const SYSTEM = { actor: { kind: "system", id: "test", name: "test" }, requestId: "test" } as const;
const HOUR_MS = 60 * 60 * 1000;

forEachDatabase("webhook deliveries", (open) => {
  let db: MainDb;
  let vault: Vault;
  let egress: Egress;
  let clock: ShiftableClock;
  let receiver: WebhookReceiver;
  const lines: string[] = [];
  const deliverers: WebhookDeliverer[] = [];
  const logger = createLogger("trace", { write: (line) => void lines.push(line) });
  before(async () => {
    db = (await open()).databases.main;
    egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW) });
  });
  beforeEach(async () => {
    clock = shiftableClock();
    vault = await openVault(db, [WRAPPING_KEY], { clock, logger });
    await db.deleteFrom("webhooks").execute();
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await Promise.all(deliverers.splice(0).map((one) => one.stop()));
    await receiver.close();
  });
  after(() => egress.close());

  const context = () => ({ db, clock, newId: createIds(clock, systemRandom) });
  const start = (holder = "one") => {
    const needs = { ...context(), vault, egress, logger, random: systemRandom, holder };
    const deliverer = new WebhookDeliverer({ ...needs, baseUrl: "https://gatehouse.example.com" });
    deliverers.push(deliverer);
    deliverer.start();
    return deliverer;
  };
  const createWebhook = async (changes: Partial<WebhookRow> = {}) => {
    const id = context().newId("whk");
    const secret = newWebhookSecret(systemRandom);
    const row: WebhookRow = {
      ...{ id, name: id, name_key: id, url: receiver.url, events: ["tools.held"], format: "json", enabled: true },
      sealed_secret: sealWebhookSecret(vault, id, secret, "sealed_secret"),
      ...{ sealed_previous_secret: null, previous_secret_expires_at: null, failing_since: null, disabled_reason: null },
      ...{ disabled_at: null, agent_id: null, created_by: "ada" },
      ...{ created_at: clock.now(), updated_at: clock.now(), ...changes },
    };
    await db.insertInto("webhooks").values(row).execute();
    return { id, secret };
  };
  const emit = (type: WebhookEventType = "tools.held", data: object = { server: { slug: "wiki", name: "Wiki" } }) =>
    writeTransaction(context(), SYSTEM, async (_tx, trail) => trail.emit(type, data));
  const deliveries = () => db.selectFrom("webhook_deliveries").selectAll().orderBy("at").orderBy("id").execute();
  const webhook = (id: string) => db.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const until = async (isTrue: () => Promise<boolean>, what: string) => {
    for (let tries = 0; tries < 150; tries++) {
      if (await isTrue()) return;
      await sleep(100);
    }
    assert.fail(`${what}: ${JSON.stringify(await deliveries())}`);
  };
  const untilStatus = (status: string) =>
    until(async () => (await deliveries()).every((row) => row.status === status), status);
  const untilAttempts = (count: number) =>
    until(
      async () => (await deliveries()).every((row) => row.attempts === count && row.claimed_by === null),
      "attempts",
    );

  it("are signed so that the reference library accepts them, and only with the right secret (API-13)", async () => {
    const { secret } = await createWebhook();
    await emit();
    start();
    const [request] = await receiver.received(1);
    assert.ok(request);
    // The library takes plain headers, which Node's type allows to be lists.
    const headers = request.headers as Record<string, string>;
    const payload = new Webhook(secret).verify(request.body, headers);
    assert.deepEqual(Object.keys(payload as object), ["type", "timestamp", "data"]);
    assert.throws(() => new Webhook(newWebhookSecret(systemRandom)).verify(request.body, headers));
    assert.throws(() => new Webhook(secret).verify(`${request.body} `, headers));
    assert.equal(headers["content-type"], "application/json");
    const [row] = await deliveries();
    assert.equal(headers["webhook-id"], row?.event_id);
    await untilStatus("delivered");
  });

  it("have two signatures during the overlap of a rotation, and one afterwards", async () => {
    const { id, secret } = await createWebhook();
    const next = newWebhookSecret(systemRandom);
    const rotated = {
      sealed_secret: sealWebhookSecret(vault, id, next, "sealed_secret"),
      sealed_previous_secret: sealWebhookSecret(vault, id, secret, "sealed_previous_secret"),
      previous_secret_expires_at: clock.now() + 60_000,
    };
    await db.updateTable("webhooks").set(rotated).where("id", "=", id).execute();
    start();
    await emit();
    const [both] = await receiver.received(1);
    for (const one of [secret, next])
      new Webhook(one).verify(both?.body ?? "", both?.headers as Record<string, string>);
    await db.updateTable("webhooks").set({ previous_secret_expires_at: clock.now() }).where("id", "=", id).execute();
    await emit();
    const [, one] = await receiver.received(2);
    assert.equal(String(one?.headers["webhook-signature"]).split(" ").length, 1);
  });

  it("are written only for enabled webhooks that subscribe, and not if the cause is rolled back", async () => {
    await createWebhook({ events: ["access.requested"] });
    await createWebhook({ enabled: false });
    const { id } = await createWebhook();
    await emit();
    const failing = writeTransaction(context(), SYSTEM, async (_tx, trail) => {
      trail.emit("tools.held", {});
      throw new Error("rolled back");
    });
    await assert.rejects(failing, /rolled back/);
    assert.deepEqual(
      (await deliveries()).map((row) => [row.webhook_id, row.status]),
      [[id, "pending"]],
    );
  });

  it("are repeated after a failure: within 10 seconds, with the same ID, then less often for a day", async () => {
    await createWebhook();
    receiver.answer = (response) => void response.writeHead(500).end("broken");
    await emit();
    const deliverer = start();
    await untilAttempts(1);
    const [first] = await deliveries();
    assert.ok(first && first.due_at - clock.now() < 9_000, "the first retry");
    let waitedMs = 0;
    for (let attempt = 2; attempt <= 11; attempt++) {
      const [row] = await deliveries();
      const waitMs = (row?.due_at ?? 0) - clock.now();
      waitedMs += waitMs;
      clock.shiftMs += waitMs;
      deliverer.wake();
      if (attempt < 11) await untilAttempts(attempt);
    }
    await untilStatus("failed");
    assert.ok(waitedMs > 19 * HOUR_MS && waitedMs < 29 * HOUR_MS, `${waitedMs / HOUR_MS} hours`);
    assert.equal(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size, 1);
    assert.equal(new Set(receiver.requests.map(({ body }) => body)).size, 1);
    const attempts = await attemptsOf(db, first.id);
    assert.equal(attempts.length, 11);
    const { status, error, response } = attempts[0] ?? {};
    assert.deepEqual([status, error, response], [500, "The receiver responded with status 500", "broken"]);
  });

  it("report a refused connection, a redirect, a blocked address, and a response that is too slow", async () => {
    receiver.answer = (response, { path }) => {
      if (path === "/redirect") response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
      if (path === "/large") response.end("x".repeat(100_000));
    };
    const closed = await startWebhookReceiver();
    await closed.close();
    const urls = [
      closed.url,
      `${receiver.url}/redirect`,
      "http://10.1.2.3/",
      `${receiver.url}/slow`,
      `${receiver.url}/large`,
    ];
    const ids = [];
    for (const url of urls) ids.push((await createWebhook({ url })).id);
    await emit();
    start();
    await until(async () => (await deliveries()).every((row) => row.attempts > 0), "attempts");
    const rows = await deliveries();
    const errors = ids.map((id) => rows.find((row) => row.webhook_id === id)?.last_error);
    const host = new URL(receiver.url).host;
    assert.deepEqual(errors, [
      'Host "127.0.0.1" does not accept connections',
      "The receiver redirects (302). Redirects are not followed",
      "Address 10.1.2.3 is private; add it to EGRESS_ALLOW to allow it",
      `Host "${host}" did not respond within 10 s`,
      null,
    ]);
  });

  it("arrive once, although two processes look for them", async () => {
    await createWebhook();
    await createWebhook();
    const EVENTS = 25;
    start("one");
    start("two");
    for (let n = 0; n < EVENTS; n++) await emit();
    await untilStatus("delivered");
    assert.equal(receiver.requests.length, EVENTS * 2);
    assert.ok((await deliveries()).every((row) => row.attempts === 1));
  });

  it("are sent by another process if the one that claimed them dies", async () => {
    const { id } = await createWebhook();
    await emit();
    const now = clock.now();
    const claimed = await claimDeliveries(db, { id, format: "json" }, { holder: "dead", now, until: now + 30_000 }, 10);
    assert.equal(claimed.length, 1);
    await createWebhook({ events: ["security.alert"] });
    await emit("security.alert");
    start();
    const [first] = await receiver.received(1);
    assert.match(String(first?.body), /"security\.alert"/, "the claim holds");
    clock.shiftMs += 30_000;
    await receiver.received(2);
    await untilStatus("delivered");
  });

  it("of a slow receiver do not delay those of others", async () => {
    receiver.answer = (response, { path }) => void (path === "/slow" ? undefined : response.end());
    await createWebhook({ url: `${receiver.url}/slow` });
    for (let n = 0; n < 20; n++) await emit();
    const { id } = await createWebhook({ url: `${receiver.url}/fast` });
    await emit();
    start();
    await until(
      async () => (await deliveries()).some((row) => row.webhook_id === id && row.status === "delivered"),
      "fast",
    );
    const slow = receiver.requests.filter(({ path }) => path === "/slow");
    assert.equal(slow.length, 4, "at most four requests to one webhook are open");
  });

  it("disable a webhook whose receiver fails for five days, with an audit entry and an alert", async () => {
    receiver.answer = (response, { path }) => void response.writeHead(path === "/alerts" ? 200 : 503).end();
    const { id } = await createWebhook({ failing_since: clock.now() - 5 * 24 * HOUR_MS });
    await createWebhook({ url: `${receiver.url}/alerts`, events: ["security.alert"] });
    await emit();
    await db.updateTable("webhook_deliveries").set({ round_attempts: 10 }).execute();
    start();
    await until(async () => !(await webhook(id)).enabled, "disabled");
    const { disabled_reason: reason, disabled_at: at } = await webhook(id);
    assert.deepEqual([reason, typeof at], ["failing", "number"]);
    const audit = await db.selectFrom("audit").selectAll().where("target_id", "=", id).execute();
    assert.deepEqual(
      audit.map(({ operation }) => operation),
      ["disableWebhook"],
    );
    await until(async () => receiver.requests.some(({ path }) => path === "/alerts"), "alert");
    const alert = JSON.parse(receiver.requests.find(({ path }) => path === "/alerts")?.body ?? "{}");
    assert.equal(alert.data.operation, "disableWebhook");
  });

  it("disable a webhook whose receiver is gone, and keep one that recovers", async () => {
    receiver.answer = (response) => void response.writeHead(410).end();
    const { id } = await createWebhook();
    start();
    await emit();
    await until(async () => (await webhook(id)).disabled_reason === "gone", "gone");
    receiver.answer = (response) => void response.end();
    const other = await createWebhook({ failing_since: clock.now() - 6 * 24 * HOUR_MS });
    await emit();
    await until(async () => (await webhook(other.id)).failing_since === null, "recovered");
  });

  it("wait for Retry-After", async () => {
    await createWebhook();
    receiver.answer = (response) => void response.writeHead(429, { "retry-after": "120" }).end();
    await emit();
    start();
    await untilAttempts(1);
    const [row] = await deliveries();
    assert.ok((row?.due_at ?? 0) - clock.now() > 110_000);
  });

  it("are readable messages with a link in the Slack format", async () => {
    await createWebhook({ format: "slack" });
    await emit("tools.held", {
      server: { slug: "wiki", name: "Wiki <!everyone>" },
      total: 1,
      tools: [{ name: "search", change: "changed" }],
    });
    start();
    const [request] = await receiver.received(1);
    assert.deepEqual(JSON.parse(request?.body ?? ""), {
      text: ":mag: *Wiki &lt;!everyone&gt; has 1 tool held for review*\nsearch\n<https://gatehouse.example.com/mcp-servers/wiki?tab=tools|Open Gatehouse>",
    });
  });

  it("contain no secrets and no long texts, and neither does the log", async () => {
    const { secret } = await createWebhook();
    await emit("tools.held", { text: `token ${secret} gh_at_abcdefghijkl_secret`, long: "x".repeat(100_000) });
    start();
    const [request] = await receiver.received(1);
    assert.ok((request?.body.length ?? 0) < 3_000);
    await untilStatus("delivered");
    const stored = JSON.stringify([await deliveries(), await db.selectFrom("webhooks").selectAll().execute()]);
    for (const text of [request?.body ?? "", lines.join(""), stored]) {
      assert.equal(text.includes(secret), false);
      assert.equal(text.includes("gh_at_abcdefghijkl_secret"), false);
    }
  });
});

const WRAPPING_KEY = wrappingKey(randomBytes(32));
