import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { residentMb, startGatehouse } from "../processes.ts";
import type { Report } from "../report.ts";

const SETTLE_MS = 3_000;

/** An empty installation, started for the second time. */
export async function measureIdle(report: Report): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  const first = await startGatehouse(dataDir);
  await first.stop();
  const second = await startGatehouse(dataDir);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const memory = residentMb(second.pid);
  report.add({
    what: "empty, second start: resident memory",
    seen: `${memory.toFixed(0)} MB`,
    budget: "≤ 150 MB",
    met: memory <= 150,
  });
  report.add({
    what: "empty: start to ready",
    seen: `${(second.startMs / 1000).toFixed(2)} s`,
    budget: "≤ 2 s",
    met: second.startMs <= 2_000,
  });
  await second.stop();
  rmSync(dataDir, { recursive: true });
}
