import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** `nice` values of worker threads. On few processors, the thread that serves calls comes first. */
export const THREAD_PRIORITIES = {
  /** A third of the share of a normal thread. With a lower one, a busy processor lets work time out. */
  examination: 5,
  /** The thread of the database, and the one that stores reports in its transactions. */
  query: 10,
  /** Statistics and searches. */
  longQuery: 19,
} as const;

/** For worker threads. Only Linux has priorities of threads. */
export function setThreadPriority(priority: number): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), priority);
  } catch {
    // Without /proc or the permission, it works at the normal priority.
  }
}
