import assert from "node:assert/strict";
import { it } from "node:test";
import { Webhook } from "standardwebhooks";
import { deleteCallsBefore } from "#records/calls";
import { newestPosition, positionBefore, rewindCursor } from "#records/log-destinations";
import { forEachDatabase } from "#test/databases";
import { SECRET, shippingKit } from "#test/log-shipping-kit";
import { startWebhookReceiver } from "#test/webhook-receiver";

forEachDatabase("log shipping (API-24)", (open) => {
  const kit = shippingKit(open);
  const { start, create, log, linesOf, received, requestIds, cursor, until, untilCurrent, shippers } = kit;

  it("sends every call in signed requests, in the order of the log", async () => {
    await log(3);
    const row = await create();
    const ids = await log(700);
    start();
    await untilCurrent(row);
    assert.deepEqual(requestIds(), ids);
    assert.equal(received()[0].type, "call");
    assert.match(received()[0].id, /^\d+-\d+$/);
    for (const { body, headers } of kit.receiver.requests) {
      const known = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
        name,
        String(headers[name]),
      ]);
      assert.doesNotThrow(() => new Webhook(SECRET).verify(body, Object.fromEntries(known), { jsonParse: false }));
    }
    const { shipped, lost, last_error } = await cursor(row);
    assert.deepEqual({ shipped, lost, last_error }, { shipped: 700, lost: 0, last_error: null });
  });

  it("sends only calls with the wanted outcomes", async () => {
    const row = await create({ outcomes: ["timeout"] });
    await log(300);
    const late = await log(2, { outcome: "timeout" });
    await log(5);
    start();
    await untilCurrent(row);
    assert.deepEqual(requestIds(), late);
  });

  it("delivers all of 10,000 calls although the process is stopped in the middle and the receiver fails", async () => {
    const row = await create();
    const ids = await log(10_000);
    let requests = 0;
    kit.receiver.answer = (response) => {
      requests++;
      response.statusCode = requests % 5 === 0 ? 503 : 200;
      // The records are here, but the sender does not get to know it.
      if (requests === 3) response.destroy();
      else response.end();
    };
    /** Moves the clock past the delay after each failure. */
    const untilWithRetries = (isDone: () => Promise<boolean>, what: string) =>
      until(async () => {
        if ((await cursor(row)).failures > 0) {
          kit.clock.shiftMs += 10 * 60_000;
          shippers.at(-1)?.wake();
        }
        return isDone();
      }, what);
    const first = start("one");
    await untilWithRetries(async () => kit.receiver.requests.length >= 7, "seven requests arrived");
    await first.stop();
    const before = (await cursor(row)).position;
    start("two");
    const newest = await newestPosition(kit.databases, "calls");
    await untilWithRetries(async () => (await cursor(row)).position >= newest, "all calls are delivered");
    assert.ok(before < (await cursor(row)).position);
    assert.deepEqual([...new Set(requestIds())].sort(), [...ids].sort());
    assert.ok(requestIds().length > ids.length, "the batches without a response were repeated");
    assert.deepEqual(new Set(received().map(({ id }) => id)).size, ids.length, "a record keeps its ID");
  });

  it("keeps the position while the receiver is down, and continues when it is back", async () => {
    const row = await create();
    const ids = await log(10);
    kit.receiver.answer = (response) => void response.writeHead(500).end();
    start();
    await until(async () => (await cursor(row)).failures > 0, "a failure is stored");
    const failed = await cursor(row);
    assert.equal(failed.last_error, "The receiver responded with status 500");
    assert.equal(failed.shipped, 0);
    assert.ok(failed.failing_since !== null && failed.due_at > kit.clock.now());
    kit.receiver.answer = (response) => void response.end();
    kit.clock.shiftMs += 10 * 60_000;
    await untilCurrent(row);
    assert.deepEqual([...new Set(requestIds())], ids);
    assert.equal((await cursor(row)).failing_since, null);
  });

  it("ships to other destinations while one is slow", async () => {
    const slow = await startWebhookReceiver();
    slow.answer = () => {};
    const blocked = await create({ config: { url: slow.url } });
    const row = await create();
    const ids = await log(5);
    start();
    await untilCurrent(row);
    await slow.received(1);
    assert.deepEqual(requestIds(), ids);
    assert.equal((await cursor(blocked)).shipped, 0);
    await shippers[0]?.stop();
    await slow.close();
  });

  it("counts calls that retention deleted before they were shipped, and not those that were shipped before", async () => {
    const row = await create();
    await log(4, { at: 1_000 });
    const kept = await log(2);
    await deleteCallsBefore(kit.databases.calls, 2_000, 100);
    start();
    await untilCurrent(row);
    assert.deepEqual(requestIds(), kept);
    const { lost, lost_at } = await cursor(row);
    assert.equal(lost, 4);
    assert.ok(lost_at !== null);
    await kit.databases.main.transaction().execute((tx) => rewindCursor(tx, row.id, "calls", 0));
    await until(async () => (await cursor(row)).shipped > 4, "calls are shipped again");
    await untilCurrent(row);
    assert.equal((await cursor(row)).lost, 4);
  });

  it("sends all calls since a time again after a rewind, including long ones", async () => {
    const row = await create();
    const time = kit.clock.now() + 1_000;
    await log(3, { at: time - 500 });
    const later = await log(2, { at: time + 10 });
    const long = await log(1, { at: time });
    start();
    await untilCurrent(row);
    const sent = kit.receiver.requests.length;
    const position = await positionBefore(kit.databases, "calls", time);
    await kit.databases.main.transaction().execute((tx) => rewindCursor(tx, row.id, "calls", position));
    await kit.receiver.received(sent + 1);
    await untilCurrent(row);
    assert.deepEqual(
      linesOf(kit.receiver.requests.at(-1)?.body ?? "").map(({ request_id }) => request_id),
      [...later, ...long],
    );
  });

  it("is done by one process at a time", async () => {
    const row = await create();
    const ids = await log(2_000);
    start("one");
    start("two");
    start("three");
    await untilCurrent(row);
    assert.deepEqual(requestIds(), ids);
  });
});
