import { getHeapStatistics } from "node:v8";
import type { Clock, Timer } from "./clock.ts";

const LOOK_MS = 250;
const LATE_MS = 500;
const FULL = 0.9;
/** One long collection is no overload: it takes two looks in a row. */
const LOOKS = 2;

/** How much of the heap that this process may have is used. */
export function usedHeapShare(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
}

/** GW-16: knows when there is more work than this process can do, by the room in its heap and the lag of its turns. */
export class LoadMonitor {
  readonly #clock: Clock;
  readonly #heapShare: () => number;
  #timer: Timer | undefined;
  #strained = 0;

  constructor(clock: Clock, heapShare = usedHeapShare) {
    this.#clock = clock;
    this.#heapShare = heapShare;
  }

  get isOverloaded(): boolean {
    return this.#strained >= LOOKS;
  }

  start(): void {
    const due = this.#clock.monotonic() + LOOK_MS;
    this.#timer = this.#clock.after(LOOK_MS, () => {
      const strained = this.#clock.monotonic() - due > LATE_MS || this.#heapShare() > FULL;
      this.#strained = strained ? this.#strained + 1 : 0;
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
