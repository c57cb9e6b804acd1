/** A memory limit like a container's, set with cgroup version 1 or 2. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface MemoryCgroup {
  /** A command that moves itself into the cgroup and then runs the given one. */
  readonly wrap: (command: readonly string[]) => string[];
  readonly peakBytes: () => number;
  /** After its processes ended. */
  readonly remove: () => void;
}

const VERSIONS = [
  { root: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes", peak: "memory.max_usage_in_bytes" },
  { root: "/sys/fs/cgroup", limit: "memory.max", peak: "memory.peak" },
];

/** Undefined where this process may not create cgroups, as without root. */
export function createMemoryCgroup(limitBytes: number): MemoryCgroup | undefined {
  const name = `gatehouse-test-${process.pid}`;
  for (const { root, limit, peak } of VERSIONS) {
    const folder = join(root, name);
    try {
      mkdirSync(folder);
    } catch {
      continue;
    }
    if (!existsSync(join(folder, limit))) {
      rmdirSync(folder);
      continue;
    }
    writeFileSync(join(folder, limit), String(limitBytes));
    return {
      wrap: (command) => ["sh", "-c", `echo $$ > ${join(folder, "cgroup.procs")} && exec "$0" "$@"`, ...command],
      peakBytes: () => Number(readFileSync(join(folder, peak), "utf8")),
      remove: () => rmdirSync(folder),
    };
  }
  return undefined;
}
