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
