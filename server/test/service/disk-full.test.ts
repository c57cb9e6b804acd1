import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { promisify } from "node:util";
import { sql } from "kysely";
import { createLogger } from "#lib/logger";
import { openDatabases } from "#storage/open-databases";
import { makeDataDir, openTestPostgres } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { spawnService } from "../long/service-process.ts";
import { type CallerEra, callText, eraHeaders } from "../mcp-messages.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const run = promisify(execFile);
const WAITING = 5;
const TOKEN = "a-token-for-the-test-of-full-disks";

/** Simulates a full disk for one process without root: its files can no longer grow. */
const fill = (pid: number) => run("prlimit", ["--pid", String(pid), "--fsize=1:"]);
const onFullDisk = (command: readonly string[]) => ["prlimit", "--fsize=1:", ...command];
const freeSpace = (pid: number) => run("prlimit", ["--pid", String(pid), "--fsize=unlimited:"]);

async function context(t: TestContext) {
  const dataDir = await makeDataDir();
  const upstream = await startRawUpstream();
  const starting = spawnService({ token: TOKEN, environment: { DATA_DIR: dataDir, LOG_LEVEL: "silent" } });
  t.after(async () => {
    await starting.kill();
    await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const service = await starting.ready;
  await createSyncedServer(service, "Echo", upstream.url);
  const bot = await createMachineUser(service, "bot");
  await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email] });
  const call = (n: number, era: CallerEra = "legacy") =>
    service.mcp(
      bot.credential,
      callText({ era, id: String(n), tool: "echo__echo", arguments: `{"n":${n}}` }),
      eraHeaders(era, "tools/call", "echo__echo"),
    );
  return { dataDir, upstream, service, call };
}

it("calls wait on a full disk and the service reports why; it recovers completely when space is available (OPS-5)", async (t) => {
  const { dataDir, upstream, service, call } = await context(t);
  assert.equal((await call(0)).status, 200);

  await fill(service.pid);
  const waiting = Array.from({ length: WAITING }, (_, at) => call(at + 1));
  const readiness = async (status: number) => {
    for (;;) {
      const answer = await service.http("/readyz");
      if (answer.status === status) return answer.body;
    }
  };
  assert.deepEqual(await readiness(503), { status: "not ready", reason: "the call log cannot be written" });
  assert.equal((await service.http("/livez")).status, 200);
  const rejected = await service.api("POST", "/api/groups", { name: "No room" });
  assert.equal(rejected.status, 500, rejected.text);
  assert.ok(Number(rejected.headers["retry-after"]) > 0);
  assert.equal(upstream.count("tools/call"), 1, "calls that cannot be logged are not forwarded");

  await freeSpace(service.pid);
  for (const [at, answer] of (await Promise.all(waiting)).entries()) {
    assert.deepEqual([answer.status, answer.body.result.structuredContent], [200, { n: at + 1 }]);
  }
  assert.deepEqual(await readiness(200), { status: "ready" });
  assert.equal((await service.api("POST", "/api/groups", { name: "No room" })).status, 201);
  const logged = async () => (await service.api("GET", "/api/logs?server=echo&limit=200")).body.data.length;
  while ((await logged()) < 1 + WAITING);
  assert.equal(await logged(), 1 + WAITING);
  await service.close();

  const databases = await openDatabases({ dataDir, databaseUrl: undefined, logger: createLogger("silent") });
  const check = sql`PRAGMA integrity_check`;
  for (const { rows } of [await check.execute(databases.main), await check.execute(databases.calls)]) {
    assert.deepEqual(rows, [{ integrity_check: "ok" }]);
  }
  await databases.close();
});

it("calls of both eras get 503 after 10 s on a full disk, are not sent, and appear in the log afterwards", async (t) => {
  const { upstream, service, call } = await context(t);
  assert.equal((await call(0)).status, 200);
  await fill(service.pid);
  const refused = await Promise.all([call(1), call(2, "modern")]);
  // From now on, calls do not wait.
  refused.push(await call(3));
  for (const { status, headers, body } of refused) {
    assert.equal(status, 503);
    assert.ok(Number(headers["retry-after"]) > 0);
    assert.equal(body.error.message, "The call log cannot be written; try again");
  }
  assert.equal(upstream.count("tools/call"), 1);
  await freeSpace(service.pid);
  const logged = async () => (await service.api("GET", "/api/logs?server=echo&outcome=denied")).body.data;
  while ((await logged()).length < 2);
  for (const { error } of await logged()) assert.match(error, /was not sent/);
  assert.equal((await call(4)).status, 200);
  await service.close();
});

it("starts on a full disk, answers API requests, and is ready once there is space", async (t) => {
  const database = await openTestPostgres();
  const key = join(database.dataDir, "key");
  await writeFile(key, randomBytes(32).toString("base64"));
  const environment = {
    DATA_DIR: database.dataDir,
    LOG_LEVEL: "silent",
    DATABASE_URL: database.databaseUrl ?? "",
    GATEHOUSE_KEY_FILE: key,
  };
  const starting = spawnService({ token: TOKEN, environment, wrap: onFullDisk, untilStatus: 503 });
  t.after(async () => {
    await starting.kill();
    await database.close();
  });
  const full = await starting.ready;
  const reason = "the call log cannot be written";
  assert.deepEqual((await full.http("/readyz")).body, { status: "not ready", reason });
  assert.equal((await full.api("POST", "/api/groups", { name: "Room in the database" })).status, 201);
  await freeSpace(full.pid);
  while ((await full.http("/readyz")).status !== 200);
  await full.close();
});

it("names the full disk if the first start cannot write", async (t) => {
  const dataDir = await makeDataDir();
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const starting = spawnService({ token: TOKEN, environment: { DATA_DIR: dataDir }, wrap: onFullDisk });
  await assert.rejects(
    starting.ready,
    /gatehouse: No space left on the disk of DATA_DIR \(.*\)\. Free some space, then start again\.\n$/,
  );
});
