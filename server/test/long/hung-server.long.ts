/**
 * GW-12: one hanging server of ten does not slow down calls to the other nine. Short intervals with and without hanging
 * calls alternate in one run, so that other load affects both equally. 99th percentiles are compared interval by
 * interval; intervals of the same kind are also compared, to show the noise.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDataDir } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import { callText } from "../mcp-messages.ts";
import { type RawUpstream, startRawUpstream } from "../upstreams/raw.ts";
import { type ServiceProcess, spawnService } from "./service-process.ts";

const WELL = 9;
/** More than the concurrency limit of a server: some wait in its queue. */
const HANGING = 80;
const ROUNDS = Number(process.env.HUNG_ROUNDS ?? 100);
const SPAN_MS = 350;
/** Below the capacity of the machine, where everything would wait for everything. */
const PAUSE_MS = 4;
const SETTLE_MS = 150;
const MAX_SLOWDOWN = 1.1;
const KINDS = ["without", "with", "again without"] as const;

it(`one hanging server of ten keeps the others' p99 within 10%, over ${ROUNDS} rounds`, async (t) => {
  let hang = Promise.withResolvers<void>();
  const upstreams: RawUpstream[] = [];
  for (let n = 0; n < WELL; n++) upstreams.push(await startRawUpstream({ record: false }));
  upstreams.push(
    await startRawUpstream({ gate: ({ method }) => (method === "tools/call" ? hang.promise : undefined) }),
  );
  const dataDir = await makeDataDir();
  const token = randomBytes(24).toString("hex");
  const service = await spawnService({ token, environment: { DATA_DIR: dataDir } }).ready;
  t.after(async () => {
    hang.resolve();
    await service.kill();
    for (const upstream of upstreams) await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const slugs: string[] = [];
  for (const { url } of upstreams) slugs.push(await createSyncedServer(service, `s${slugs.length}`, url));
  const [bot, stuck] = [await createMachineUser(service, "bot"), await createMachineUser(service, "stuck")];
  await createGroup(service, "bots", { slugs, emails: [bot.email, stuck.email] });

  const well = slugs.slice(0, WELL);
  const hung = slugs[WELL] ?? "";
  await spanOf(service, bot, well, 10 * SPAN_MS);
  const p99s = { without: [] as number[], with: [] as number[], "again without": [] as number[] };
  let calls = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < KINDS.length; n++) {
      const kind = KINDS[(round + n) % KINDS.length] ?? "with";
      // The same calls in both; only whether they are answered before the interval differs.
      const hanging = Array.from({ length: HANGING }, () => call(service, stuck, hung));
      if (kind !== "with") {
        hang.resolve();
        await Promise.all(hanging);
      }
      await sleep(SETTLE_MS);
      const took = await spanOf(service, bot, well, SPAN_MS);
      calls += took.length;
      p99s[kind].push(percentile(took, 0.99));
      hang.resolve();
      await Promise.all(hanging);
      hang = Promise.withResolvers();
    }
  }
  const compared = (kind: "with" | "again without") =>
    percentile(
      p99s[kind].map((ms, round) => ms / (p99s.without[round] ?? Number.NaN)),
      0.5,
    );
  const [ratio, noise] = [compared("with"), compared("again without")];
  const [without, hungMs] = [percentile(p99s.without, 0.5).toFixed(2), percentile(p99s.with, 0.5).toFixed(2)];
  t.diagnostic(
    `${calls} calls; p99 ${without} ms without a hanging server, ${hungMs} ms with one (medians of the intervals)`,
  );
  t.diagnostic(`with / without ${ratio.toFixed(3)}, without / without ${noise.toFixed(3)} (medians of the rounds)`);
  assert.ok(ratio <= MAX_SLOWDOWN, `p99 is ${ratio.toFixed(3)} times as long`);
});

async function call(service: ServiceProcess, bot: MachineUser, slug: string): Promise<void> {
  const text = callText({ era: "legacy", id: "1", tool: `${slug}__echo`, arguments: "{}" });
  const { status } = await service.mcp(bot.credential, text);
  assert.equal(status, 200);
}

/** Calls every server sequentially; returns the durations. */
async function spanOf(
  service: ServiceProcess,
  bot: MachineUser,
  slugs: readonly string[],
  ms: number,
): Promise<number[]> {
  const took: number[] = [];
  const until = performance.now() + ms;
  const one = async (slug: string) => {
    while (performance.now() < until) {
      const since = performance.now();
      await call(service, bot, slug);
      took.push(performance.now() - since);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(slugs.map(one));
  return took;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
