/**
 * Identifies the process that writes a spool. The owner file exists from before the first segment until after the last,
 * so other processes can tell whether the writer is alive: only open calls of a dead writer are interrupted.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Clock } from "#lib/clock";
import { ownerPath } from "./spool-paths.ts";

export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Distinguishes a process from a later one with the same pid; empty when the operating system does not report it. */
  readonly startedAt: string;
}

/** Processes on this host, as the operating system reports them. */
export interface ProcessTable {
  self(): ProcessIdentity;
  isRunning(identity: ProcessIdentity): boolean;
}

export const HEARTBEAT_MS = 10_000;
/** An owner on another host is considered dead after this time without a heartbeat. */
const HEARTBEAT_TIMEOUT_MS = 120_000;

export function writeOwner(directory: string, spoolId: string, identity: ProcessIdentity): void {
  const path = ownerPath(directory, spoolId);
  try {
    writeFileSync(path, JSON.stringify(identity), { flag: "wx", mode: 0o600 });
  } catch (error) {
    // A full disk leaves an empty file.
    rmSync(path, { force: true });
    throw error;
  }
}

/**
 * Decides whether the writer of a spool is alive. A pid means nothing on another host or in another container, so the
 * heartbeat decides there, timed by the local monotonic clock: a stepped wall clock declares no writer dead (OPS-6).
 */
export function createOwnerMonitor(directory: string, processes: ProcessTable, clock: Clock) {
  const lastSeen = new Map<string, { heartbeat: number; since: number }>();

  function hasTimedOut(spoolId: string, heartbeat: number): boolean {
    const now = clock.monotonic();
    const seen = lastSeen.get(spoolId);
    if (seen?.heartbeat === heartbeat) return now - seen.since >= HEARTBEAT_TIMEOUT_MS;
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
      return !hasTimedOut(spoolId, heartbeat);
    },
  };
}

/**
 * Returns undefined while the owner is writing the file, or if it was killed while doing so; the heartbeat then
 * decides.
 */
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
  self: () => ({ host: hostname(), pid: process.pid, startedAt: startTimeOf(process.pid) }),
  isRunning({ pid, startedAt }) {
    return hasProcess(pid) && startTimeOf(pid) === startedAt;
  },
};

function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM means the process exists but we may not signal it.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Linux: the boot id and the tick at which the process started. Empty elsewhere, where the pid alone decides. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command name may contain spaces and parentheses, so field 22 is counted from after its last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, start] = [fields[0], fields[19]];
    // A zombie no longer writes.
    if (state === "Z" || state === "X") return "";
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${start}`;
  } catch {
    return "";
  }
}
