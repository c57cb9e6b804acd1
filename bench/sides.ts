import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, type Target } from "./load.ts";
import { type Running, servingCpuSeconds, startGatehouse } from "./processes.ts";
import type { Report } from "./report.ts";
import { type Size, seed } from "./seed.ts";

const CONNECTIONS = 8;
const ROUNDS = 60;
const WARM_ROUNDS = 20;

/** One of the installations that are compared. */
export interface Side {
  readonly gatehouse: Running;
  readonly dataDir: string;
  readonly credential: string;
}

export interface Request {
  readonly targetOf: (side: Side) => Target;
  /** How many in one round. */
  readonly calls: number;
}

/** Starts an installation for each size, passes them to the function, and stops them. */
export async function withSides(
  upstreamPort: number,
  sizes: readonly Size[],
  use: (sides: readonly Side[]) => Promise<void>,
): Promise<void> {
  const sides: Side[] = [];
  try {
    for (const size of sizes) {
      const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
      const { credential } = await seed(dataDir, `http://127.0.0.1:${upstreamPort}/mcp`, size);
      sides.push({ gatehouse: await startGatehouse(dataDir), dataDir, credential });
    }
    await use(sides);
  } finally {
    for (const { gatehouse, dataDir } of sides) {
      await gatehouse.stop();
      rmSync(dataDir, { recursive: true });
    }
  }
}

/**
 * The processor time that serving a request takes on each side, in microseconds. Processor time, because the differences are smaller
 * than the noise of throughput; in many short rounds, so that other load affects all sides; and the median, because such
 * load affects few rounds.
 */
export async function cpuOfSides(sides: readonly Side[], request: Request): Promise<number[]> {
  const used: number[][] = sides.map(() => []);
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++)
    for (const [n] of sides.entries()) {
      // Each side is first in some rounds.
      const at = (n + round + WARM_ROUNDS) % sides.length;
      const side = sides[at];
      if (!side) continue;
      const cpu = await cpuPerCall(side, request);
      if (round >= 0) used[at]?.push(cpu);
    }
  return used.map(median);
}

/** Two installations of each kind are compared, which also shows how much two equal ones differ. */
export function reportRatio(report: Report, what: string, [without, compared]: readonly [Pair, Pair], most: number) {
  const ratio = mean(compared) / mean(without);
  report.add({
    what: `${what}: CPU without / with`,
    seen: `${mean(without).toFixed(0)} / ${mean(compared).toFixed(0)} µs: ${ratio.toFixed(3)} (equal ones: ${(without[1] / without[0]).toFixed(3)}, ${(compared[1] / compared[0]).toFixed(3)})`,
    budget: `≤ ${most}`,
    met: ratio <= most,
  });
}

/** Of two equal installations. */
export type Pair = readonly [number, number];

function mean([one, other]: Pair): number {
  return (one + other) / 2;
}

async function cpuPerCall(side: Side, { targetOf, calls }: Request): Promise<number> {
  const { pid } = side.gatehouse;
  const before = servingCpuSeconds(pid);
  await load(targetOf(side), CONNECTIONS, calls);
  return ((servingCpuSeconds(pid) - before) / calls) * 1_000_000;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
