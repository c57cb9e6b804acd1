/** A file that only one process of a device holds. */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";

/** How far the clock and the time since the start of the system can differ. */
const CLOCK_MARGIN_MS = 10_000;

/** Throws if another process holds the lock. A lock whose process ended is ignored. */
export function acquireLock(lock: string): void {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = openSync(lock, "wx", 0o600);
      writeFileSync(file, [process.pid, startTimeOf(process.pid) ?? ""].join(" ").trim());
      closeSync(file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isHeld(lock)) break;
      rmSync(lock, { force: true });
    }
  }
  throw new Error(`Another gatehouse-scan is running. If it is not, delete ${lock}.`);
}

/**
 * A process ID is used again: in a container immediately, elsewhere after a restart of the system. Locks of earlier versions
 * contain only the ID, and only Linux shows when a process started.
 */
function isHeld(lock: string): boolean {
  try {
    const [pid = 0, startTime] = readFileSync(lock, "utf8").split(" ").map(Number);
    if (!(pid > 0) || pid === process.pid || !isRunning(pid)) return false;
    const current = startTimeOf(pid);
    if (startTime !== undefined && current !== undefined) return startTime === current;
    return statSync(lock).mtimeMs > Date.now() - uptime() * 1000 - CLOCK_MARGIN_MS;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** In ticks since the start of the system. The name of the program comes before it, and can contain spaces and parentheses. */
function startTimeOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(afterName[19]) || undefined;
  } catch {
    return undefined;
  }
}
