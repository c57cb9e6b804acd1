import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { it, type TestContext } from "node:test";
import { promisify } from "node:util";
import { sql } from "kysely";
import { createLogger } from "#lib/logger";
import { openDatabases } from "#storage/open-databases";
import { makeDataDir } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { spawnService } from "../long/service-process.ts";
import { callText } from "../mcp-messages.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const run = promisify(execFile);
const WAITING = 5;
const TOKEN = "a-token-for-the-test-of-full-disks";

/** Simulates a full disk for one process without root: its files can no longer grow. */
const fill = (pid: number) => run("prlimit", ["--pid", String(pid), "--fsize=1:"]);
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
  const call = (n: number) =>
    service.mcp(
      bot.credential,
      callText({ era: "legacy", id: String(n), tool: "echo__echo", arguments: `{"n":${n}}` }),
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
