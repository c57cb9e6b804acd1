/**
 * GW-16: garbage alone does not keep a process overloaded. In a small container, callers read large responses until the
 * memory is nearly full. Afterwards the service accepts requests again, without a restart.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDataDir } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer } from "../factories.ts";
import { callText } from "../mcp-messages.ts";
import { type Behaviour, startRawUpstream } from "../upstreams/raw.ts";
import { createMemoryCgroup } from "./memory-cgroup.ts";
import { processSize } from "./process-size.ts";
import { spawnService } from "./service-process.ts";

const MB = 1024 * 1024;
const CALLERS = 32;
const CALLS = 256;
/** Long enough for two garbage collections of a full memory. */
const QUIET_MS = 25_000;
const TEXT = "x".repeat(8 * MB);

it("is ready again after large responses in a container with 320 MiB", async (t) => {
  const cgroup = createMemoryCgroup(320 * MB);
  const dataDir = await makeDataDir();
  let calls = 0;
  const upstream = await startRawUpstream({
    record: false,
    behave: ({ method, tool, id }): Behaviour => {
      if (method !== "tools/call" || tool !== "headers") return "json";
      const text = TEXT.slice(0, ((calls++ % 8) + 1) * MB);
      return {
        status: 200,
        body: `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]}}`,
      };
    },
  });
  const token = randomBytes(24).toString("hex");
  const service = await spawnService({
    token,
    environment: { DATA_DIR: dataDir },
    ...(cgroup && { wrap: cgroup.wrap }),
  }).ready;
  t.after(async () => {
    await service.kill();
    await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
    cgroup?.remove();
  });
  const slug = await createSyncedServer(service, "big", upstream.url);
  const bot = await createMachineUser(service, "bot");
  await createGroup(service, "bots", { slugs: [slug], emails: [bot.email] });
  const large = callText({ era: "legacy", id: "1", tool: `${slug}__headers`, arguments: "{}" });
  const small = callText({ era: "legacy", id: "1", tool: `${slug}__echo`, arguments: "{}" });

  const statuses = new Map<number, number>();
  let left = CALLS;
  const callRepeatedly = async () => {
    while (left-- > 0) {
      const { status } = await service.mcp(bot.credential, large);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, callRepeatedly));
  const after = processSize(service.pid);
  // Calls would leave garbage, and V8 could collect all of it.
  await sleep(QUIET_MS);
  const readiness = await service.http("/readyz");
  const counts = Array.from(statuses, ([status, count]) => `${count} × ${status}`).join(", ");
  t.diagnostic(`${counts}; afterwards ${after}, then ${processSize(service.pid)}`);
  assert.deepEqual(readiness.body, { status: "ready" });
  assert.equal((await service.mcp(bot.credential, small)).status, 200);
});
