import { readdirSync, readFileSync } from "node:fs";

/** What a process holds, as Linux tells it; elsewhere nothing is known. */
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
