import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "../load.ts";
import { cpuSeconds, type Running, startGatehouse, startUpstream } from "../processes.ts";
import type { Report } from "../report.ts";
import { type Size, seed } from "../seed.ts";
import { callTarget } from "./calls.ts";

const SIZE: Size = { servers: 2, toolsPerServer: 20, toolBytes: 750, users: 100, groups: 5, serversOfFirstUser: 2 };
const ROUNDS = 6;
const CONNECTIONS = 8;
const CALLS = 4_000;

interface Side {
  readonly gatehouse: Running;
  readonly dataDir: string;
  readonly credential: string;
}

/**
 * Calls of 200 B without guards, with guards for another server, and with all built-in runtime guards on `log`. Compares
 * processor time, because the differences are smaller than the noise of throughput.
 */
export async function measureGuardedCalls(report: Report): Promise<void> {
  const upstream = await startUpstream(200);
  const sides: Side[] = [];
  for (const guards of [undefined, "elsewhere", "all"] as const) {
    const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
    const size = { ...SIZE, ...(guards && { guards }) };
    const { credential } = await seed(dataDir, `http://127.0.0.1:${upstream.port}/mcp`, size);
    sides.push({ gatehouse: await startGatehouse(dataDir), dataDir, credential });
  }
  try {
    const [without = 0, elsewhere = 0, all = 0] = await measure(sides);
    compare(report, "guards for another server", without, elsewhere, 0.98);
    compare(report, "all built-in runtime guards on log", without, all, 0.8);
  } finally {
    for (const { gatehouse, dataDir } of sides) {
      await gatehouse.stop();
      rmSync(dataDir, { recursive: true });
    }
    await upstream.stop();
  }
}

/** Microseconds per call, by side. */
async function measure(sides: readonly Side[]): Promise<number[]> {
  const used = sides.map(() => 0);
  for (const side of sides) for (let warm = 0; warm < 3; warm++) await cpuPerCall(side);
  for (let round = 0; round < ROUNDS; round++) {
    // Each side is first in some rounds.
    for (const [n] of sides.entries()) {
      const at = (n + round) % sides.length;
      const side = sides[at];
      if (side) used[at] = (used[at] ?? 0) + (await cpuPerCall(side)) / ROUNDS;
    }
  }
  return used;
}

function compare(report: Report, what: string, without: number, guarded: number, least: number): void {
  const ratio = without / guarded;
  report.add({
    what: `tools/call, 200 B, ${what}: CPU without / with`,
    seen: `${without.toFixed(0)} / ${guarded.toFixed(0)} µs: ${ratio.toFixed(2)}`,
    budget: `≥ ${least.toFixed(2)}`,
    met: ratio >= least,
  });
}

async function cpuPerCall({ gatehouse, credential }: Side): Promise<number> {
  const before = cpuSeconds(gatehouse.pid);
  await load(callTarget(gatehouse.port, "server-0__echo", credential), CONNECTIONS, CALLS);
  return ((cpuSeconds(gatehouse.pid) - before) / CALLS) * 1_000_000;
}
