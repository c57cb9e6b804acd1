import { totalmem } from "node:os";

/** The memory that this process may use: the limit of its container (cgroup v1 or v2) if there is one. */
export function memoryLimitBytes(): number {
  const constrained = process.constrainedMemory();
  const total = totalmem();
  return constrained > 0 && constrained < total ? constrained : total;
}

/** A share of the memory limit, at least `min` and at most `max` bytes. */
export function shareOfMemory(share: number, min: number, max: number): number {
  return Math.min(Math.max(Math.floor(memoryLimitBytes() * share), min), max);
}
