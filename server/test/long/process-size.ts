import { readdirSync, readFileSync } from "node:fs";

/** The memory, files and threads of a process, on Linux. */
export function processSize(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const residentKb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]);
    const threads = /Threads:\s+(\d+)/.exec(status)?.[1];
    const files = readdirSync(`/proc/${pid}/fd`).length;
    return `${(residentKb / 1024).toFixed(0)} MB resident, ${files} open files, ${threads} threads`;
  } catch {
    return "size unknown";
  }
}

/** Linux counts processor time in ticks of this length, independent of the kernel's timer. */
const TICKS_PER_SECOND = 100;

/** User and system time of a process so far. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
