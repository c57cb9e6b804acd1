import { getHeapStatistics } from "node:v8";
import type { Clock, Timer } from "./clock.ts";
import { memoryLimitBytes } from "./memory-limit.ts";

const CHECK_MS = 250;
const MAX_MEMORY_SHARE = 0.9;
const CHECKS_PER_SAMPLE = 4;
/** The shortest time between two garbage collections while the memory is nearly full. */
const RECLAIM_MS = 10_000;
/** A single long garbage collection is not overload: two checks in a row must fail. */
const FAILED_CHECKS = 2;
/** A new process compiles its code while all its callers return, so it is slow but not overloaded. */
const WARM_UP_MS = 10_000;

/** The used share of the limit that is closer: of V8's heap, or of the memory of the container or machine. */
export function usedMemoryShare(limitBytes = memoryLimitBytes()): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return Math.max(used / limit, process.memoryUsage.rss() / limitBytes);
}

/**
 * V8 does not know the memory limit of a container, and collects no garbage while a process rejects all requests. Without
 * this, garbage alone can keep a process overloaded. It stops all calls for some 100 ms. Only `npm start` exposes `gc`.
 */
function collectGarbage(): void {
  globalThis.gc?.({ type: "major", execution: "sync" });
}

function usedShareOfThisProcess(): () => number {
  const limitBytes = memoryLimitBytes();
  return () => usedMemoryShare(limitBytes);
}

/** GW-16: detects overload of this process by memory use and event loop delay. */
export class LoadMonitor {
  readonly #clock: Clock;
  readonly #maxDelayMs: number;
  readonly #memoryShare: () => number;
  readonly #reclaimMemory: () => void;
  #timer: Timer | undefined;
  #checks = 0;
  #isMemoryFull = false;
  #nextReclaim = Number.NEGATIVE_INFINITY;
  #failedChecks = 0;
  #warmUntil = Number.NEGATIVE_INFINITY;

  constructor(
    clock: Clock,
    maxDelayMs: number,
    memoryShare = usedShareOfThisProcess(),
    reclaimMemory = collectGarbage,
  ) {
    this.#clock = clock;
    this.#maxDelayMs = maxDelayMs;
    this.#memoryShare = memoryShare;
    this.#reclaimMemory = reclaimMemory;
  }

  get isOverloaded(): boolean {
    return this.#failedChecks >= FAILED_CHECKS;
  }

  /** Call when the process starts to accept requests. Delays of the start and of the first seconds do not count. */
  warmUp(): void {
    this.#failedChecks = 0;
    this.#warmUntil = this.#clock.monotonic() + WARM_UP_MS;
  }

  start(): void {
    const due = this.#clock.monotonic() + CHECK_MS;
    this.#timer = this.#clock.after(CHECK_MS, () => {
      const now = this.#clock.monotonic();
      const isLate = now - due > this.#maxDelayMs && now > this.#warmUntil;
      this.#checkMemory(now);
      this.#failedChecks = isLate || this.#isMemoryFull ? this.#failedChecks + 1 : 0;
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #checkMemory(now: number): void {
    // Reading the resident memory takes much longer than the rest of a check. While it is full, it changes fast.
    if (this.#checks++ % CHECKS_PER_SAMPLE !== 0 && !this.#isMemoryFull) return;
    this.#isMemoryFull = this.#memoryShare() > MAX_MEMORY_SHARE;
    if (!this.#isMemoryFull || now < this.#nextReclaim) return;
    this.#nextReclaim = now + RECLAIM_MS;
    this.#reclaimMemory();
  }
}
