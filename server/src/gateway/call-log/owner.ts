/**
 * Who writes a spool. The owner's file stands beside the segments from before the first of them until after the last,
 * so that another process knows whether the writer still lives: only the open calls of a dead one are interrupted.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Clock } from "#lib/clock";
import { ownerPath } from "./spool-paths.ts";

export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Tells a process from a later one with the same pid; empty where the system does not say. */
  readonly startedAt: string;
}

/** The operating system's word on processes of this host. */
export interface ProcessTable {
  self(): ProcessIdentity;
  isRunning(identity: ProcessIdentity): boolean;
}

export const HEARTBEAT_MS = 10_000;
/** How long the file of an owner on another host may stand untouched before that owner counts as dead. */
const SILENCE_MS = 120_000;

export function writeOwner(directory: string, spoolId: string, identity: ProcessIdentity): void {
  writeFileSync(ownerPath(directory, spoolId), JSON.stringify(identity), { flag: "wx", mode: 0o600 });
}

/**
 * Judges whether the writer of a spool still lives. A pid means nothing on another host (or in another container), so
 * there the heartbeat decides, timed by our own monotonic clock: a stepped wall clock declares nobody dead (OPS-6).
 */
export function createOwnerJudge(directory: string, processes: ProcessTable, clock: Clock) {
  const lastSeen = new Map<string, { heartbeat: number; since: number }>();

  function isSilent(spoolId: string, heartbeat: number): boolean {
    const now = clock.monotonic();
    const seen = lastSeen.get(spoolId);
    if (seen?.heartbeat === heartbeat) return now - seen.since >= SILENCE_MS;
    lastSeen.set(spoolId, { heartbeat, since: now });
    return false;
  }

  return {
    isAlive(spoolId: string): boolean {
      const path = ownerPath(directory, spoolId);
      const heartbeat = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (heartbeat === undefined) return false;
      const identity = readIdentity(path);
      if (identity?.host === processes.self().host) return processes.isRunning(identity);
      return !isSilent(spoolId, heartbeat);
    },
  };
}

/** Undefined while its owner is still writing it, or when a kill came in between: then the heartbeat decides. */
function readIdentity(path: string): ProcessIdentity | undefined {
  try {
    const identity: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isIdentity(identity) ? identity : undefined;
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return typeof value === "object" && value !== null && "host" in value && "pid" in value && "startedAt" in value;
}

export const systemProcesses: ProcessTable = {
  self: () => ({ host: hostname(), pid: process.pid, startedAt: startOf(process.pid) }),
  isRunning({ pid, startedAt }) {
    return hasProcess(pid) && startOf(pid) === startedAt;
  },
};

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Not permitted to signal it: so it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Linux: the boot and the tick in it at which the process started. Elsewhere nothing, and the pid alone decides. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command name may hold spaces and brackets: field 22 is counted from behind its last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, start] = [fields[0], fields[19]];
    // Killed, but not yet collected by its parent: it writes no more.
    if (state === "Z" || state === "X") return "";
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${start}`;
  } catch {
    return "";
  }
}
