/**
 * GW-12: servers that send far too much do not slow down the calls to others. Short intervals without noise and with each
 * kind of it alternate in one run, so that other load affects all equally. The 99th percentile over all calls of a kind
 * is compared with the one next to a process that is as busy and never calls the gateway. The service has 1 GiB of memory.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeDataDir } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import { callText } from "../mcp-messages.ts";
import { startRawUpstream } from "../upstreams/raw.ts";
import { BusyNeighbor } from "./busy-neighbor.ts";
import { createMemoryCgroup } from "./memory-cgroup.ts";
import { type Command, NOISE } from "./noisy-neighbors.ts";
import { cpuSeconds } from "./process-size.ts";
import { type ServiceProcess, spawnService } from "./service-process.ts";

const ROUNDS = Number(process.env.NOISE_ROUNDS ?? 40);
const SPAN_MS = 500;
const SETTLE_MS = 300;
const CALLERS = 4;
const MAX_SLOWDOWN = 1.2;
/** Of a container. All calls fail if the process is killed, or sheds load. */
const MEMORY_BYTES = 1024 ** 3;
const ALONE = "alone";
const BUSY = "a busy process that calls nothing";
const KINDS: Readonly<Record<string, Command["kinds"]>> = {
  [ALONE]: [],
  [BUSY]: [],
  "a flood of notifications": ["flood"],
  "an endless event": ["endless"],
  "24 callers with 15 MiB": ["large"],
  "24 callers with 15 MiB, under all built-in guards": ["guarded"],
  "all of them": NOISE,
};

it(`noisy servers keep the p99 of others within ${MAX_SLOWDOWN} times, over ${ROUNDS} rounds`, async (t) => {
  // Elsewhere, noisy servers and their callers run on other machines. Here they get only idle processor time.
  const program = [process.execPath, fileURLToPath(new URL("noisy-neighbors.ts", import.meta.url))];
  const noisy = spawn("chrt", ["--idle", "0", ...program], { stdio: ["pipe", "pipe", "inherit"] });
  const neighbor = new BusyNeighbor(1);
  const upstream = await startRawUpstream({ record: false });
  const dataDir = await makeDataDir();
  const token = randomBytes(24).toString("hex");
  const cgroup = createMemoryCgroup(MEMORY_BYTES);
  const environment = { DATA_DIR: dataDir };
  const service = await spawnService({ token, environment, ...(cgroup && { wrap: cgroup.wrap }) }).ready;
  t.after(async () => {
    noisy.kill();
    neighbor.stop();
    await service.kill();
    await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
    cgroup?.remove();
  });
  const [line] = await once(createInterface({ input: noisy.stdout }), "line");
  const slugs = [await createSyncedServer(service, "quiet", upstream.url)];
  for (const [kind, url] of Object.entries<string>(JSON.parse(line)))
    slugs.push(await createSyncedServer(service, kind, url));
  const [bot, noise] = [await createMachineUser(service, "bot"), await createMachineUser(service, "noise")];
  await createGroup(service, "bots", { slugs, emails: [bot.email, noise.email] });
  await enableGuards(service, "guarded");
  const start = (kinds: Command["kinds"]) => {
    const command: Command = { gateway: service.url, credential: noise.credential, kinds };
    noisy.stdin.write(`${JSON.stringify(command)}\n`);
  };

  await spanOf(service, bot, 3000);
  const spans = new Map(Object.keys(KINDS).map((what) => [what, [] as Span[]]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [what, kinds] of Object.entries(KINDS)) {
      if (kinds.length > 0) start(kinds);
      const measure = async () => {
        // Calls that are not measured: without any, noise is read without turns, and its garbage would be collected later.
        await spanOf(service, bot, SETTLE_MS);
        return spanOf(service, bot, SPAN_MS);
      };
      spans.get(what)?.push(await (what === BUSY ? neighbor.during(measure) : measure()));
      noisy.stdin.write("\n");
      await sleep(SETTLE_MS);
    }

  const figures = Object.keys(KINDS).map((what) => {
    const all = spans.get(what) ?? [];
    const took = all.flatMap((span) => span.took);
    const cpu = Math.round((1e6 * all.reduce((sum, span) => sum + span.cpu, 0)) / took.length);
    const p99 = percentile(took, 0.99);
    t.diagnostic(
      `${what}: p50 ${percentile(took, 0.5).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${took.length} calls, ${cpu} µs of processor time per call`,
    );
    return { what, p99 };
  });
  if (cgroup) t.diagnostic(`at most ${Math.round(cgroup.peakBytes() / 1024 ** 2)} MB of 1,024 MB were in use`);
  const [, busy = { p99: Number.NaN }, ...noised] = figures;
  const ratios = noised.map(({ what, p99 }) => ({ what, ratio: p99 / busy.p99 }));
  for (const { what, ratio } of ratios) t.diagnostic(`${what}: p99 ${ratio.toFixed(2)} times as long`);
  assert.deepEqual(
    ratios.filter(({ ratio }) => ratio > MAX_SLOWDOWN),
    [],
  );
});

/** All built-in guards for calls report what they find in this server's. */
async function enableGuards(service: ServiceProcess, server: string): Promise<void> {
  const { body } = await service.api("GET", "/api/guards?type=runtime");
  for (const { slug } of body.data) {
    const changes = { enabled: true, action: "log", scope: { servers: [server] } };
    const { status, text } = await service.api("PATCH", `/api/guards?slug=${slug}`, changes);
    assert.equal(status, 200, text);
  }
}

interface Span {
  /** How long each call took, in milliseconds. */
  readonly took: readonly number[];
  /** The processor time of the gateway, in seconds. */
  readonly cpu: number;
}

async function spanOf(service: ServiceProcess, bot: MachineUser, ms: number): Promise<Span> {
  const text = callText({ era: "legacy", id: "1", tool: "quiet__echo", arguments: "{}" });
  const took: number[] = [];
  const cpu = cpuSeconds(service.pid);
  const until = performance.now() + ms;
  const one = async () => {
    while (performance.now() < until) {
      const since = performance.now();
      const { status } = await service.mcp(bot.credential, text);
      assert.equal(status, 200);
      took.push(performance.now() - since);
      await sleep(2);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, one));
  return { took, cpu: cpuSeconds(service.pid) - cpu };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
