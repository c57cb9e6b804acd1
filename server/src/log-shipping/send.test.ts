import assert from "node:assert/strict";
import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import { insertCheckpoint, isGenuineCheckpoint } from "#records/audit";
import { writeTransaction } from "#storage/transaction";
import { forEachDatabase } from "#test/databases";
import { shippingKit } from "#test/log-shipping-kit";
import { startS3Stub } from "#test/s3-stub";
import { objectUrl } from "./s3-object.ts";

const SYSTEM = { actor: { kind: "system", id: "test", name: "test" }, requestId: "test" } as const;

forEachDatabase("kinds of log destinations (API-24)", (open) => {
  const kit = shippingKit(open);
  const { start, create, log, linesOf, received, cursor, until, untilCurrent, shippers } = kit;

  it("halves batches that are too large for the receiver, and skips a record that is too large alone", async () => {
    const row = await create();
    const [first, ...rest] = await log(6);
    const large = await log(1, { error: "x".repeat(1_000) });
    const last = await log(2);
    kit.receiver.answer = (response, { body }) => {
      response.statusCode = linesOf(body).length > 3 || body.includes("xxxx") ? 413 : 200;
      response.end();
      if (response.statusCode === 200) accepted.push(...linesOf(body).map(({ request_id }) => String(request_id)));
    };
    const accepted: string[] = [];
    start();
    await untilCurrent(row);
    assert.deepEqual(accepted, [first, ...rest, ...last]);
    assert.ok(!accepted.includes(large[0] ?? ""));
    const { rejected, last_error } = await cursor(row);
    assert.equal(rejected, 1);
    assert.ok(last_error === null || /too large/.test(last_error));
  });

  it("sends audit entries and signed checkpoints", async () => {
    const row = await create({ sources: ["audit"] });
    const context = { db: kit.databases.main, clock: kit.clock, newId: createIds(kit.clock, systemRandom) };
    await writeTransaction(context, SYSTEM, async (_tx, trail) => {
      trail.audit({ operation: "createGroup", target: { kind: "group", id: "grp_1", name: "Ops" }, after: { a: 1 } });
    });
    start();
    await untilCurrent(row, "audit");
    const [entry] = received();
    assert.deepEqual([entry.type, entry.operation, entry.target.name], ["audit", "createGroup", "Ops"]);
    assert.equal(typeof entry.hash, "string");
    const { newId } = context;
    const at = kit.clock.now();
    await kit.databases.main
      .transaction()
      .execute((tx) => insertCheckpoint(tx, kit.vault, "periodic", entry, { newId, at }));
    shippers[0]?.wake();
    await until(() => received().length === 2, "the checkpoint arrives");
    const { type, id, ...checkpoint } = received()[1];
    assert.deepEqual([type, id], ["checkpoint", `checkpoint-${entry.seq}`]);
    assert.deepEqual([checkpoint.seq, checkpoint.hash], [entry.seq, entry.hash]);
    assert.ok(isGenuineCheckpoint(kit.vault, checkpoint), "the receiver can verify its signature");
    assert.equal((await cursor(row, "checkpoints")).position, entry.seq);
  });

  it("sends OTLP logs and stores what the collector rejects", async () => {
    const row = await create(
      { kind: "otlp", config: { url: `${kit.receiver.url}/v1/logs`, header_names: ["x-key"] } },
      { headers: { "x-key": "k-1" } },
    );
    const [id] = await log(1, { outcome: "timeout", traceId: "0af7651916cd43dd8448eb211c80319c", error: "no answer" });
    kit.receiver.answer = (response) =>
      void response.end(JSON.stringify({ partialSuccess: { rejectedLogRecords: "1", errorMessage: "too old" } }));
    start();
    await untilCurrent(row);
    const [request] = kit.receiver.requests;
    assert.equal(request?.path, "/v1/logs");
    assert.equal(request?.headers["x-key"], "k-1");
    const [{ resource, scopeLogs }] = JSON.parse(request?.body ?? "").resourceLogs;
    assert.deepEqual(resource.attributes[0], { key: "service.name", value: { stringValue: "gatehouse" } });
    const [{ scope, logRecords }] = scopeLogs;
    assert.equal(scope.name, "gatehouse.calls");
    const [record] = logRecords;
    assert.equal(record.severityText, "ERROR");
    assert.equal(record.traceId, "0af7651916cd43dd8448eb211c80319c");
    assert.match(record.timeUnixNano, /^\d{19}$/);
    const attributes = new Map(record.attributes.map(({ key, value }: { key: string; value: object }) => [key, value]));
    assert.deepEqual(attributes.get("gatehouse.request_id"), { stringValue: id });
    assert.deepEqual(attributes.get("gatehouse.request_bytes"), { intValue: "1" });
    const { rejected, last_error, shipped } = await cursor(row);
    assert.deepEqual({ rejected, shipped }, { rejected: 1, shipped: 0 });
    assert.equal(last_error, "The collector rejected records: 1. too old");
  });

  it("writes objects into a bucket with valid signatures, and explains invalid ones", async () => {
    const stub = await startS3Stub("AKIDEXAMPLE", "s3-secret", "eu-west-1");
    const config = { url: stub.url, region: "eu-west-1", bucket: "logs", access_key_id: "AKIDEXAMPLE" };
    const path = { ...config, prefix: "gate house/(a)+é/", addressing: "path" } as const;
    const right = await create({ kind: "s3", config: path }, { secret_access_key: "s3-secret" });
    const wrong = await create({ kind: "s3", config: path }, { secret_access_key: "other" });
    const ids = await log(1_200);
    start();
    await untilCurrent(right);
    const [[key, lines] = ["", []]] = stub.objects;
    assert.equal(stub.objects.size, 1, "objects are larger than requests");
    assert.match(key, /^\/logs\/gate house\/\(a\)\+é\/calls\/\d{4}\/\d\d\/\d\d\/\d{15}-\d{15}\.jsonl\.gz$/);
    assert.deepEqual(
      lines.map(({ request_id }) => request_id),
      ids,
    );
    await until(async () => (await cursor(wrong)).failures > 0, "the other one fails");
    assert.equal(
      (await cursor(wrong)).last_error,
      "The bucket rejected the object (403 SignatureDoesNotMatch). Check the secret access key and the region",
    );
    await shippers[0]?.stop();
    await stub.close();
  });

  it("uses the bucket as the host's first label in virtual-host style", () => {
    const config = { url: "https://s3.eu-west-1.amazonaws.com", bucket: "logs" };
    const url = objectUrl({ ...config, addressing: "virtual_host" }, "a b/c.gz");
    assert.equal(url.href, "https://logs.s3.eu-west-1.amazonaws.com/a%20b/c.gz");
  });

  it("appends to a file per day, on a new line after an interrupted write", async () => {
    const row = await create({ kind: "file", config: { prefix: "gate" } }, {});
    const ids = await log(3);
    start();
    await untilCurrent(row);
    const [name = ""] = await readdir(kit.folder);
    assert.match(name, /^gate-calls-\d{4}-\d\d-\d\d\.jsonl$/);
    const path = join(kit.folder, name);
    await appendFile(path, '{"type":"ca');
    ids.push(...(await log(1)));
    await untilCurrent(row);
    const complete = (await readFile(path, "utf8")).replace('{"type":"ca\n', "");
    assert.deepEqual(
      linesOf(complete).map(({ request_id }) => request_id),
      ids,
    );
  });

  it("stays paused while it is disabled, and sends a test record nevertheless", async () => {
    const row = await create({ enabled: false });
    await log(1);
    const shipper = start();
    const result = await shipper.sendTest(row, "Ada");
    assert.equal(result.error, null);
    await sleep(300);
    const [record, ...others] = received();
    assert.equal(record.type, "test");
    assert.deepEqual(others, []);
    assert.equal((await cursor(row)).shipped, 0);
  });
});
