/** A process that freezes in the middle of a change keeps the others from changing anything for a minute, and not longer. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { callText } from "../mcp-messages.ts";
import { startRawUpstream } from "../upstreams/raw.ts";
import { prepareReplicas } from "./replicas.ts";
import type { ServiceProcess } from "./service-process.ts";

const CONCURRENT_WRITES = 8;
const MAX_FREEZES = 1_000;
/** Postgres ends the transaction of the frozen process after 60 s, and a write that fails before waits 10 s (decision 0261). */
const MAX_BLOCKED_MS = 75_000;

it("lets other replicas make changes again, and loses none", async (t) => {
  const replicas = await prepareReplicas();
  const upstream = await startRawUpstream();
  const database = new pg.Client({ connectionString: replicas.databaseUrl });
  t.after(async () => {
    await database.end();
    await upstream.close();
    await replicas.destroy();
  });
  await database.connect();
  const [frozen, other] = [await replicas.start("frozen"), await replicas.start("other")];
  await createSyncedServer(other, "Echo", upstream.url);
  const bot = await createMachineUser(other, "bot");
  await createGroup(other, "bots", { slugs: ["echo"], emails: [bot.email] });
  const call = callText({ era: "legacy", id: "1", tool: "echo__echo", arguments: "{}" });
  const created: string[] = [];
  const create = async (service: ServiceProcess, name: string) => {
    const { status } = await service.api("POST", "/api/groups", { name });
    if (status === 201) created.push(name);
    return status === 201;
  };

  let isOver = false;
  const writers = Promise.all(
    Array.from({ length: CONCURRENT_WRITES }, async (_, writer) => {
      for (let n = 0; !isOver; n++) await create(frozen, `frozen ${writer}.${n}`);
    }),
  );
  await sleep(1_000);
  const freezes = await freezeInChange(frozen.pid, database);
  isOver = true;
  const began = performance.now();
  let attempts = 1;
  while (!(await create(other, `other ${attempts}`))) {
    assert.ok(performance.now() - began < MAX_BLOCKED_MS, "changes are still blocked");
    assert.equal((await other.mcp(bot.credential, call)).status, 200);
    attempts++;
  }
  const blockedMs = performance.now() - began;
  process.kill(frozen.pid, "SIGCONT");
  await writers;
  assert.equal(await create(frozen, "continued"), true);
  const { rows } = await database.query<{ name: string }>("select name from groups");
  const stored = new Set(rows.map(({ name }) => name));
  assert.deepEqual(
    created.filter((name) => !stored.has(name)),
    [],
  );
  const seconds = (blockedMs / 1_000).toFixed(1);
  t.diagnostic(
    `freeze ${freezes} was in a change; attempt ${attempts} of the other replica succeeded after ${seconds} s`,
  );
  t.diagnostic(`${created.length} changes acknowledged, none lost`);
});

/** Resolves when the stopped process holds the lock that all changes need. */
async function freezeInChange(pid: number, database: pg.Client): Promise<number> {
  for (let freezes = 1; freezes <= MAX_FREEZES; freezes++) {
    await sleep(20);
    process.kill(pid, "SIGSTOP");
    // What Postgres has received before ends first.
    await sleep(20);
    const isFree = await database.query("select 1 from change_counter for update nowait").then(
      () => true,
      () => false,
    );
    if (!isFree) return freezes;
    process.kill(pid, "SIGCONT");
  }
  throw new Error("the process never stopped in the middle of a change");
}
