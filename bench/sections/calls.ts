import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, type Measured, median, type Target } from "../load.ts";
import { type Running, startGatehouse, startPassThrough, startUpstream } from "../processes.ts";
import type { Report } from "../report.ts";
import { seed } from "../seed.ts";

const SMALL = { servers: 10, toolsPerServer: 20, toolBytes: 750, users: 100, groups: 5, serversOfFirstUser: 10 };
const ROUNDS = 5;
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call" };

/** Alternates direct, pass-through, and gateway in one run, so that noise affects all three. */
export async function measureCalls(report: Report): Promise<void> {
  for (const [payload, calls] of [
    [200, 3_000],
    [256 * 1024, 600],
  ] as const) {
    const upstream = await startUpstream(payload);
    const passThrough = await startPassThrough(upstream.port);
    const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
    const { credential } = await seed(dataDir, `http://127.0.0.1:${upstream.port}/mcp`, SMALL);
    const gatehouse = await startGatehouse(dataDir);
    try {
      await warmUp({ upstream, passThrough, gatehouse }, credential, payload);
      for (const connections of [1, 8, 64]) {
        await compare(report, { upstream, passThrough, gatehouse }, credential, payload, connections, calls);
      }
    } finally {
      await gatehouse.stop();
      await passThrough.stop();
      await upstream.stop();
      rmSync(dataDir, { recursive: true });
    }
  }
}

interface Sides {
  readonly upstream: Running;
  readonly passThrough: Running;
  readonly gatehouse: Running;
}

export function callTarget(port: number, name: string, credential?: string): Target {
  const body = JSON.stringify({ ...CALL, params: { name, arguments: { text: "hello" } } });
  return {
    port,
    path: "/mcp",
    body,
    headers: credential === undefined ? {} : { authorization: `Bearer ${credential}` },
  };
}

const WARM_UP_BYTES = 16 * 1024 * 1024;
const MOST_WARM_UP_CALLS = 20_000;

/** Warms up all three before measuring. */
async function warmUp({ upstream, passThrough, gatehouse }: Sides, credential: string, payload: number): Promise<void> {
  const calls = Math.min(MOST_WARM_UP_CALLS, Math.ceil(WARM_UP_BYTES / payload));
  await load(callTarget(upstream.port, "echo"), 16, calls);
  await load(callTarget(passThrough.port, "echo"), 16, calls);
  await load(callTarget(gatehouse.port, "server-0__echo", credential), 16, calls);
}

async function compare(
  report: Report,
  { upstream, passThrough, gatehouse }: Sides,
  credential: string,
  payload: number,
  connections: number,
  calls: number,
): Promise<void> {
  const targets = [
    callTarget(upstream.port, "echo"),
    callTarget(passThrough.port, "echo"),
    callTarget(gatehouse.port, "server-0__echo", credential),
  ];
  const rounds: Measured[][] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [side, target] of targets.entries()) rounds[side]?.push(await load(target, connections, calls));
  }
  const [direct, bare, ours] = rounds.map((side) => ({
    perSecond: median(side.map((each) => each.perSecond)),
    p50Ms: median(side.map((each) => each.p50Ms)),
    p99Ms: median(side.map((each) => each.p99Ms)),
  }));
  if (!direct || !bare || !ours) throw new Error("three sides were measured");
  const size = payload < 1024 ? `${payload} B` : `${payload / 1024} KiB`;
  const ratio = ours.perSecond / bare.perSecond;
  report.add({
    what: `tools/call, ${size}, ${connections} connections: direct / pass-through / gateway per second`,
    seen: `${direct.perSecond.toFixed(0)} / ${bare.perSecond.toFixed(0)} / ${ours.perSecond.toFixed(0)}: ${ratio.toFixed(2)}`,
    ...(connections === 1 ? {} : { budget: "≥ 0.90", met: ratio >= 0.9 }),
  });
  report.add({
    what: `— p50 and p99 in ms: pass-through, gateway`,
    seen: `${bare.p50Ms.toFixed(2)}, ${bare.p99Ms.toFixed(2)}; ${ours.p50Ms.toFixed(2)}, ${ours.p99Ms.toFixed(2)}`,
    ...(connections === 1 && payload < 1024
      ? { budget: "added p50 ≤ 0.15", met: ours.p50Ms - bare.p50Ms <= 0.15 }
      : {}),
  });
}
