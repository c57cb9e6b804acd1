import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
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

/**
 * For worker threads. Only Linux has priorities of threads. Never raises one: the threads of a backup keep the lowest
 * (decision 0172), although root may raise it.
 */
export function setThreadPriority(priority: number): void {
  if (process.platform !== "linux") return;
  try {
    const thread = Number(basename(readlinkSync("/proc/thread-self")));
    setPriority(thread, Math.max(priority, getPriority(thread)));
  } catch {
    // Without /proc or the permission, it works at the normal priority.
  }
}
