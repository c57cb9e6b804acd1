/**
 * Reports of devices do not slow down calls at the gateway when 10,000 devices are known: intervals with and without
 * reports alternate in one run, so that other load affects both equally. First reports are new to the service; most
 * reports of a real device repeat the last one.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { makeDataDir } from "../databases.ts";
import { BusyNeighbor } from "./busy-neighbor.ts";
import { PacedCalls, percentile99 } from "./paced-calls.ts";
import type { ReportSender, SenderAnswer, SenderRequest } from "./send-reports.ts";
import { spawnService } from "./service-process.ts";

const ROUNDS = Number(process.env.DISCOVERY_ROUNDS ?? 20);
const CALLS_PER_SECOND = Number(process.env.CALLS_PER_SECOND ?? 800);
const SPAN_MS = 2_000;
const REPORTS_PER_SECOND = 50;
const REPORTS = (REPORTS_PER_SECOND * SPAN_MS) / 1_000;
const KNOWN_DEVICES = 10_000;
const DEVICES_PER_STEP = 1_000;
const WARM_UP_PER_SECOND = 250;
/** About what first reports of this rate use, in the service and for sending. */
const NEIGHBOR_SHARE = 0.6;
const KINDS = ["alone", "with first reports", "with repeated reports", "next to a busy process"] as const;
type Kind = (typeof KINDS)[number];

it(`calls while devices send ${REPORTS_PER_SECOND} reports per second, over ${ROUNDS} rounds`, async (t) => {
  const dataDir = await makeDataDir();
  const token = randomBytes(24).toString("hex");
  const service = await spawnService({ token, environment: { DATA_DIR: dataDir } }).ready;
  t.after(async () => {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  const calls = await PacedCalls.prepare(service, CALLS_PER_SECOND);
  const sender = new Worker(new URL("send-reports.ts", import.meta.url), {
    workerData: { url: service.url, token } satisfies ReportSender,
  });
  const neighbor = new BusyNeighbor(NEIGHBOR_SHARE);
  t.after(() => Promise.all([calls.close(), sender.terminate(), neighbor.stop()]));
  const measure = () => calls.during(() => sleep(SPAN_MS));
  // Code is compiled before the first round, also that of the threads that store reports, which takes thousands of them.
  for (let firstDevice = 0; firstDevice < KNOWN_DEVICES; firstDevice += DEVICES_PER_STEP) {
    for (const work of [async () => {}, measure]) {
      await ask(sender, { kind: "prepare", firstDevice, count: DEVICES_PER_STEP });
      await Promise.all([ask(sender, { kind: "send", perSecond: WARM_UP_PER_SECOND }), work()]);
    }
  }
  const p99s = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  const responses = new Map<Kind, { sent: number; tookMs: number; responseMs: number[] }>();
  for (let round = 0; round < ROUNDS; round++) {
    // In both orders, because what a kind leaves behind is paid by the next.
    for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
      const firstDevice = kind === "with first reports" ? KNOWN_DEVICES + round * REPORTS : 0;
      // In every interval, because it leaves garbage behind.
      await ask(sender, { kind: "prepare", firstDevice, count: REPORTS });
      const reporting = kind.endsWith("reports") ? ask(sender, { kind: "send", perSecond: REPORTS_PER_SECOND }) : null;
      const took = await (kind === "next to a busy process" ? neighbor.during(measure) : measure());
      p99s.get(kind)?.push(percentile99(took));
      const answer = await reporting;
      if (answer?.kind !== "sent") continue;
      const all = responses.get(kind) ?? { sent: 0, tookMs: 0, responseMs: [] };
      all.responseMs.push(...answer.responseMs);
      responses.set(kind, { ...all, sent: all.sent + REPORTS, tookMs: all.tookMs + answer.tookMs });
    }
  }
  for (const [kind, { sent, tookMs, responseMs }] of responses) {
    const perSecond = ((sent / tookMs) * 1_000).toFixed(0);
    const waited = `${median(responseMs).toFixed(0)} and ${percentile99(responseMs).toFixed(0)} ms`;
    t.diagnostic(`${kind}: ${sent} at ${perSecond}/s, answered after ${waited} (p50, p99)`);
  }
  const alone = median(p99s.get("alone") ?? []);
  for (const [kind, values] of p99s) {
    const p99 = median(values);
    t.diagnostic(`p99 of calls ${kind}: ${p99.toFixed(2)} ms, compared with alone ${(p99 / alone).toFixed(2)}`);
  }
  if (calls.failures.length > 0) throw new Error(calls.failures[0]);
});

async function ask(sender: Worker, request: SenderRequest): Promise<SenderAnswer> {
  sender.postMessage(request);
  // The thread sends nothing else.
  const [answer] = (await once(sender, "message")) as [SenderAnswer];
  return answer;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
