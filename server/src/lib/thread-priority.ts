import { spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { basename } from "node:path";

/** Priorities of worker threads. On few processors, the thread that serves calls comes first. */
export const THREAD_PRIORITIES = {
  /** A third of the share of a normal thread. With a lower one, a busy processor lets work time out. */
  examination: 5,
  /** The thread of the database. */
  query: 10,
  /** Statistics and searches. */
  longQuery: 19,
  /** Reports of devices. Only processors that no other thread needs (decision 0202). */
  background: "idle",
} as const;

/** A `nice` value, or the policy for idle work. */
export type ThreadPriority = (typeof THREAD_PRIORITIES)[keyof typeof THREAD_PRIORITIES];

const LOWEST = 19;

/**
 * For worker threads. Only Linux has priorities of threads. Never raises one: the threads of a backup keep the lowest
 * (decision 0172), although root may raise it.
 */
export function setThreadPriority(priority: ThreadPriority): void {
  if (process.platform !== "linux") return;
  try {
    const thread = Number(basename(readlinkSync("/proc/thread-self")));
    if (priority === "idle" && setIdlePolicy(thread)) return;
    const nice = priority === "idle" ? LOWEST : priority;
    setPriority(thread, Math.max(nice, getPriority(thread)));
  } catch {
    // Without /proc or the permission, it works at the normal priority.
  }
}

/** Node has no call for it. Returns false where the command is missing. */
function setIdlePolicy(thread: number): boolean {
  return spawnSync("chrt", ["--idle", "--pid", "0", String(thread)], { stdio: "ignore" }).status === 0;
}
