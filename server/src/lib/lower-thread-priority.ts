import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** A third of the share of a normal thread. With the lowest priority, a busy processor lets work time out. */
const LOWERED_PRIORITY = 5;

/** For worker threads: on few processors, the thread that serves calls comes first. Only Linux has priorities of threads. */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), LOWERED_PRIORITY);
  } catch {
    // Without /proc or the permission, it works at the normal priority.
  }
}
