import { startUpstream } from "../processes.ts";
import type { Report } from "../report.ts";
import type { Size } from "../seed.ts";
import { cpuOfSides, reportRatio, withSides } from "../sides.ts";
import { callTarget } from "./calls.ts";

const SIZE: Size = { servers: 2, toolsPerServer: 20, toolBytes: 750, users: 100, groups: 5, serversOfFirstUser: 2 };

/**
 * Calls of 200 B without guards, with guards for another server, and with all built-in runtime guards on `log`. A second
 * installation without guards shows how much two equal ones differ.
 */
export async function measureGuardedCalls(report: Report): Promise<void> {
  const upstream = await startUpstream(200);
  const sizes: Size[] = [SIZE, SIZE, { ...SIZE, guards: "elsewhere" }, { ...SIZE, guards: "all" }];
  try {
    await withSides(upstream.port, sizes, async (sides) => {
      const [without = 0, again = 0, elsewhere = 0, all = 0] = await cpuOfSides(sides, {
        targetOf: ({ gatehouse, credential }) => callTarget(gatehouse.port, "server-0__echo", credential),
        calls: 600,
      });
      // The budgets are for throughput: 0.98 and 0.80 of the calls.
      reportRatio(report, "tools/call, 200 B, guards for another server", [without, elsewhere], 1.02);
      reportRatio(report, "tools/call, 200 B, all built-in runtime guards on log", [without, all], 1.25);
      report.add({ what: "— a second installation without guards", seen: (again / without).toFixed(3) });
    });
  } finally {
    await upstream.stop();
  }
}
