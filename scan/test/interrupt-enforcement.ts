/**
 * Quarantines or restores items, and is interrupted at one of its changes to the disk:
 * `node interrupt-enforcement.ts <home> <state> <quarantine|restore> <names> <kill|full> <change>`. Exits with 0 if nothing
 * interrupted it.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Change = (...given: unknown[]) => unknown;

const [home = "", state = "", action = "", names = "", fault = "", at = ""] = process.argv.slice(2);
const WRITES = ["writeFileSync", "writeSync"];
const CHANGES = [...WRITES, "renameSync", "rmSync", "unlinkSync", "symlinkSync", "mkdirSync", "cpSync"];
let changes = 0;

const mutable = fs as unknown as Record<string, Change>;
for (const name of CHANGES) {
  const change = mutable[name] as Change;
  mutable[name] = (...given) => {
    changes += 1;
    if (fault === "kill" && changes === Number(at)) process.kill(process.pid, "SIGKILL");
    if (fault === "full" && changes >= Number(at) && WRITES.includes(name)) return writePart(change, name, given);
    return change(...given);
  };
}
syncBuiltinESMExports();

// Imported after the functions were replaced.
const { quarantineNamed, restoreNamed } = await import("./enforce-home.ts");
(action === "quarantine" ? quarantineNamed : restoreNamed)({ home, state }, names.split(","));

/** On a full disk, one write stores a part of its data and returns the size of it. The next one fails. */
function writePart(change: Change, name: string, [file, data, ...rest]: unknown[]): unknown {
  const bytes = Buffer.from(data as Uint8Array);
  const part = bytes.subarray(0, bytes.length >> 1);
  if (name === "writeSync" && changes === Number(at)) return change(file, part, ...rest);
  if (name === "writeFileSync") change(file, part, ...rest);
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
}
