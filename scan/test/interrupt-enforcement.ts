/**
 * Quarantines or restores items, with a fault at one of its changes to the disk. One process runs all actions that it
 * receives as messages, because starting a process takes longer than most actions.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { copyFolder } from "./copy-folder.ts";
import type { EnforcedHome } from "./enforce-home.ts";

export interface FaultyAction {
  readonly device: EnforcedHome;
  readonly action: "quarantine" | "restore";
  readonly names: readonly string[];
  readonly fault: Fault;
}

/**
 * `copy` copies the device before each change to numbered folders, from 1: a process that is killed there leaves exactly
 * this, because each change is a synchronous call. `kill` is such a kill, and ends this process.
 */
type Fault =
  | { readonly kind: "copy"; readonly folder: EnforcedHome }
  | { readonly kind: "kill" | "full"; readonly at: number };

export interface FaultyResult {
  /** The number of changes. */
  readonly changes: number;
  /** Undefined: nothing failed. */
  readonly failure: string | undefined;
}

type Change = (...given: unknown[]) => unknown;

const WRITES = ["writeFileSync", "writeSync"];
const CHANGES = [...WRITES, "renameSync", "rmSync", "unlinkSync", "symlinkSync", "mkdirSync", "cpSync"];
let changes = 0;
let current: FaultyAction | undefined;

const mutable = fs as unknown as Record<string, Change>;
for (const name of CHANGES) {
  const change = mutable[name] as Change;
  mutable[name] = (...given) => {
    if (!current) return change(...given);
    changes += 1;
    const { fault, device } = current;
    if (fault.kind === "copy") copyDevice(device, fault.folder);
    else if (fault.kind === "kill" && changes === fault.at) process.kill(process.pid, "SIGKILL");
    else if (fault.kind === "full" && changes >= fault.at && WRITES.includes(name)) {
      return writePart(change, name, given, changes === fault.at);
    }
    return change(...given);
  };
}
syncBuiltinESMExports();

// Imported after the functions were replaced.
const { quarantineNamed, restoreNamed } = await import("./enforce-home.ts");

process.on("message", (given: FaultyAction) => process.send?.(perform(given)));

function perform(given: FaultyAction): FaultyResult {
  const { device, action, names } = given;
  changes = 0;
  current = given;
  try {
    (action === "quarantine" ? quarantineNamed : restoreNamed)(device, names);
    return { changes, failure: undefined };
  } catch (error) {
    return { changes, failure: String(error) };
  } finally {
    current = undefined;
  }
}

/** The copies are no changes of the action. */
function copyDevice({ home, state }: EnforcedHome, folder: EnforcedHome): void {
  const running = current;
  current = undefined;
  copyFolder(home, join(folder.home, String(changes)));
  copyFolder(state, join(folder.state, String(changes)));
  current = running;
}

/** On a full disk, one write stores a part of its data and returns the size of it. The next one fails. */
function writePart(change: Change, name: string, [file, data, ...rest]: unknown[], isFirst: boolean): unknown {
  const bytes = Buffer.from(data as Uint8Array);
  const part = bytes.subarray(0, bytes.length >> 1);
  if (name === "writeSync" && isFirst) return change(file, part, ...rest);
  if (name === "writeFileSync") change(file, part, ...rest);
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
}
