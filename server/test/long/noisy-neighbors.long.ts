/**
 * GW-12: servers that send far too much do not slow down the calls to others. Short intervals with and without noise
 * alternate in one run, so that other load affects both equally. 99th percentiles are compared interval by interval;
 * intervals of the same kind are also compared, to show the variance.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { createInterface } from "node:readline";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeDataDir } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import { callText } from "../mcp-messages.ts";
import { startRawUpstream } from "../upstreams/raw.ts";
import { type Command, NOISE, type Noise } from "./noisy-neighbors.ts";
import { cpuSeconds } from "./process-size.ts";
import { type ServiceProcess, spawnService } from "./service-process.ts";

const ROUNDS = Number(process.env.NOISE_ROUNDS ?? 40);
const SPAN_MS = 500;
const SETTLE_MS = 300;
const CALLERS = 4;
const MAX_SLOWDOWN = 1.2;
const KINDS: Readonly<Record<string, readonly Noise[]>> = {
  "a flood of notifications": ["flood"],
  "an endless event": ["endless"],
  "24 callers with 15 MiB": ["large"],
  "all of them": NOISE,
};

it(`noisy servers keep the p99 of others within ${MAX_SLOWDOWN} times, over ${ROUNDS} rounds`, async (t) => {
  const noisy = spawn(process.execPath, [fileURLToPath(new URL("noisy-neighbors.ts", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // Elsewhere, noisy servers and their callers run on other machines. Here they must not take the gateway's processor.
  setPriority(noisy.pid ?? 0, constants.priority.PRIORITY_LOW);
  const upstream = await startRawUpstream({ record: false });
  const dataDir = await makeDataDir();
  const token = randomBytes(24).toString("hex");
  const service = await spawnService({ token, environment: { DATA_DIR: dataDir } }).ready;
  t.after(async () => {
    noisy.kill();
    await service.kill();
    await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const [line] = await once(createInterface({ input: noisy.stdout }), "line");
  const slugs = [await createSyncedServer(service, "quiet", upstream.url)];
  for (const [kind, url] of Object.entries<string>(JSON.parse(line)))
    slugs.push(await createSyncedServer(service, kind, url));
  const [bot, noise] = [await createMachineUser(service, "bot"), await createMachineUser(service, "noise")];
  await createGroup(service, "bots", { slugs, emails: [bot.email, noise.email] });
  const start = (kinds: readonly Noise[]) => {
    const command: Command = { gateway: service.url, credential: noise.credential, kinds };
    noisy.stdin.write(`${JSON.stringify(command)}\n`);
  };

  await spanOf(service, bot, 3000);
  const failures: string[] = [];
  for (const [what, kinds] of Object.entries(KINDS)) {
    const alone: Span[] = [];
    const noised: Span[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await spanOf(service, bot, SPAN_MS));
      start(kinds);
      await sleep(SETTLE_MS);
      noised.push(await spanOf(service, bot, SPAN_MS));
      noisy.stdin.write("\n");
      await sleep(SETTLE_MS);
    }
    const ratios = noised.map(({ p99 }, round) => p99 / (alone[round]?.p99 ?? Number.NaN));
    const ratio = percentile(ratios, 0.5);
    const calls = (spans: Span[]) => spans.reduce((sum, { calls }) => sum + calls, 0);
    const perCall = (spans: Span[]) => Math.round((1e6 * spans.reduce((sum, { cpu }) => sum + cpu, 0)) / calls(spans));
    const p99 = (spans: Span[]) =>
      percentile(
        spans.map((span) => span.p99),
        0.5,
      ).toFixed(2);
    t.diagnostic(
      `${what}: p99 ${p99(alone)} ms alone, ${p99(noised)} ms with it (${ratio.toFixed(2)}); calls ${calls(alone)} and ${calls(noised)}, ` +
        `µs of processor time per call ${perCall(alone)} and ${perCall(noised)}`,
    );
    if (ratio > MAX_SLOWDOWN) failures.push(`${what}: p99 is ${ratio.toFixed(2)} times as long`);
  }
  assert.deepEqual(failures, []);
});

interface Span {
  readonly calls: number;
  readonly p99: number;
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
  return { calls: took.length, p99: percentile(took, 0.99), cpu: cpuSeconds(service.pid) - cpu };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
