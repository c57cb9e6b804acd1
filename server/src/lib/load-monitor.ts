import { getHeapStatistics } from "node:v8";
import type { Clock, Timer } from "./clock.ts";

const CHECK_MS = 250;
const MAX_DELAY_MS = 500;
const MAX_HEAP_SHARE = 0.9;
/** A single long garbage collection is not overload: two checks in a row must fail. */
const FAILED_CHECKS = 2;

/** The used share of this process's heap limit. */
export function usedHeapShare(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
}

/** GW-16: detects overload of this process by heap use and event loop delay. */
export class LoadMonitor {
  readonly #clock: Clock;
  readonly #heapShare: () => number;
  #timer: Timer | undefined;
  #failedChecks = 0;

  constructor(clock: Clock, heapShare = usedHeapShare) {
    this.#clock = clock;
    this.#heapShare = heapShare;
  }

  get isOverloaded(): boolean {
    return this.#failedChecks >= FAILED_CHECKS;
  }

  start(): void {
    const due = this.#clock.monotonic() + CHECK_MS;
    this.#timer = this.#clock.after(CHECK_MS, () => {
      const isStrained = this.#clock.monotonic() - due > MAX_DELAY_MS || this.#heapShare() > MAX_HEAP_SHARE;
      this.#failedChecks = isStrained ? this.#failedChecks + 1 : 0;
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
