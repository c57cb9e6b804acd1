import { availableParallelism, totalmem } from "node:os";
import type { Config } from "#config/config";
import { assertSocketPath } from "#config/data-dir";
import { type Finding, failure, ok, textOf, warning } from "./finding.ts";

const MIB = 1024 * 1024;
/** Of one process under steady load. */
const WORKER_MIB = 350;

/** Without WORKERS there is nothing to check. */
export function checkWorkers(
  { workers, dataDir }: Pick<Config, "workers" | "dataDir">,
  cores = availableParallelism(),
  memoryBytes = totalmem(),
): Finding[] {
  if (workers === undefined) return [];
  const check = "Workers";
  try {
    assertSocketPath(dataDir);
  } catch (error) {
    return [failure(check, `${textOf(error)}.`, "Move the data folder to a shorter path.")];
  }
  if (workers > cores) {
    const advice = "Set WORKERS=auto. More workers than cores use memory and are not faster.";
    return [warning(check, `${workers} workers share ${cores} processor cores.`, advice)];
  }
  // One more process runs during a rolling restart.
  const neededMib = (workers + 1) * WORKER_MIB;
  const memoryMib = Math.floor(memoryBytes / MIB);
  if (neededMib > memoryMib) {
    const message = `${workers} workers need about ${neededMib} MB of memory; this machine has ${memoryMib} MB.`;
    return [warning(check, message, "Lower WORKERS, or add memory.")];
  }
  return [ok(check, `${workers} workers on ${cores} processor cores.`)];
}
