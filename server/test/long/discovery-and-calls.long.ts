/**
 * Reports of devices do not slow down calls at the gateway: intervals with and without reports alternate in one run, so
 * that other load affects both equally.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { makeDataDir } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import { callText } from "../mcp-messages.ts";
import { startRawUpstream } from "../upstreams/raw.ts";
import { BusyNeighbor } from "./busy-neighbor.ts";
import type { ReportSender, SenderAnswer, SenderRequest } from "./send-reports.ts";
import { type ServiceProcess, spawnService } from "./service-process.ts";

const ROUNDS = Number(process.env.DISCOVERY_ROUNDS ?? 20);
const SPAN_MS = 2_000;
const REPORTS_PER_SECOND = 50;
const BODIES = (REPORTS_PER_SECOND * SPAN_MS) / 1_000;
const WARM_UP_REPORTS = 1_000;
const CALLERS = 4;
const PAUSE_MS = 4;
/** About what reports of this rate use, in the service and for sending. */
const NEIGHBOR_SHARE = 0.6;
const KINDS = ["alone", "with reports", "alone again", "next to a busy process"] as const;
type Kind = (typeof KINDS)[number];

it(`calls while devices send ${REPORTS_PER_SECOND} reports per second, over ${ROUNDS} rounds`, async (t) => {
  const upstream = await startRawUpstream({ record: false });
  const dataDir = await makeDataDir();
  const token = randomBytes(24).toString("hex");
  const service = await spawnService({ token, environment: { DATA_DIR: dataDir } }).ready;
  t.after(async () => {
    await service.kill();
    await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const slug = await createSyncedServer(service, "echo", upstream.url);
  const bot = await createMachineUser(service, "bot");
  await createGroup(service, "bots", { slugs: [slug], emails: [bot.email] });
  const { url } = service;
  const sender = new Worker(new URL("send-reports.ts", import.meta.url), {
    workerData: { url, token } satisfies ReportSender,
  });
  const neighbor = new BusyNeighbor(NEIGHBOR_SHARE);
  t.after(() => Promise.all([sender.terminate(), neighbor.stop()]));
  // Code is compiled before the first round, also that of the threads that store reports.
  await spanOf(service, bot, slug);
  await ask(sender, { kind: "prepare", firstDevice: 0, count: WARM_UP_REPORTS });
  await Promise.all([ask(sender, { kind: "send", perSecond: REPORTS_PER_SECOND }), spanOf(service, bot, slug)]);
  const p99s: Record<Kind, number[]> = {
    ...{ alone: [], "with reports": [], "alone again": [], "next to a busy process": [] },
  };
  const responseMs: number[] = [];
  let tookMs = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < KINDS.length; n++) {
      const kind = KINDS[(round + n) % KINDS.length] ?? "alone";
      await ask(sender, { kind: "prepare", firstDevice: WARM_UP_REPORTS + round * BODIES, count: BODIES });
      const sent = kind === "with reports" ? ask(sender, { kind: "send", perSecond: REPORTS_PER_SECOND }) : undefined;
      const measure = () => spanOf(service, bot, slug);
      const took = await (kind === "next to a busy process" ? neighbor.during(measure) : measure());
      p99s[kind].push(percentile(took, 0.99));
      const answer = await sent;
      if (answer?.kind !== "sent") continue;
      tookMs += answer.tookMs;
      responseMs.push(...answer.responseMs);
    }
  }
  const ratio = (kind: Kind, base: Kind = "alone") =>
    percentile(
      p99s[kind].map((ms, round) => ms / (p99s[base][round] ?? Number.NaN)),
      0.5,
    ).toFixed(2);
  const medians = KINDS.map((kind) => `${kind} ${percentile(p99s[kind], 0.5).toFixed(2)} ms`).join(", ");
  const perSecond = (responseMs.length / (tookMs / 1_000)).toFixed(0);
  const waited = [0.5, 0.99].map((share) => percentile(responseMs, share).toFixed(0)).join(" and ");
  t.diagnostic(`${responseMs.length} reports at ${perSecond}/s, answered after ${waited} ms (p50, p99)`);
  t.diagnostic(`p99 of calls ${medians}`);
  t.diagnostic(`with reports / alone ${ratio("with reports")}, alone again / alone ${ratio("alone again")}`);
  t.diagnostic(`with reports / next to a busy process ${ratio("with reports", "next to a busy process")}`);
});

async function ask(sender: Worker, request: SenderRequest): Promise<SenderAnswer> {
  sender.postMessage(request);
  // The thread sends nothing else.
  const [answer] = (await once(sender, "message")) as [SenderAnswer];
  return answer;
}

async function spanOf(service: ServiceProcess, bot: MachineUser, slug: string): Promise<number[]> {
  const took: number[] = [];
  const until = performance.now() + SPAN_MS;
  const text = callText({ era: "legacy", id: "1", tool: `${slug}__echo`, arguments: "{}" });
  const caller = async () => {
    while (performance.now() < until) {
      const since = performance.now();
      assert.equal((await service.mcp(bot.credential, text)).status, 200);
      took.push(performance.now() - since);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return took;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
