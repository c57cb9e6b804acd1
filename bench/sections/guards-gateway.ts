import { startUpstream } from "../processes.ts";
import type { Report } from "../report.ts";
import type { Size } from "../seed.ts";
import { cpuOfSides, type Pair, reportRatio, withSides } from "../sides.ts";
import { callTarget } from "./calls.ts";

const SIZE: Size = { servers: 2, toolsPerServer: 20, toolBytes: 750, users: 100, groups: 5, serversOfFirstUser: 2 };

/**
 * Calls of 200 B without guards, with guards for another server, and with all built-in runtime guards on `log`.
 */
export async function measureGuardedCalls(report: Report): Promise<void> {
  const upstream = await startUpstream(200);
  const kinds: Size[] = [SIZE, { ...SIZE, guards: "elsewhere" }, { ...SIZE, guards: "all" }];
  try {
    await withSides(upstream.port, [...kinds, ...kinds], async (sides) => {
      const cpu = await cpuOfSides(sides, {
        targetOf: ({ gatehouse, credential }) => callTarget(gatehouse.port, "server-0__echo", credential),
        calls: 600,
      });
      const pairOf = (kind: number): Pair => [cpu[kind] ?? 0, cpu[kind + kinds.length] ?? 0];
      // The budgets are for throughput: 0.98 and 0.80 of the calls.
      reportRatio(report, "tools/call, 200 B, guards for another server", [pairOf(0), pairOf(1)], 1.02);
      reportRatio(report, "tools/call, 200 B, all built-in runtime guards on log", [pairOf(0), pairOf(2)], 1.25);
    });
  } finally {
    await upstream.stop();
  }
}
