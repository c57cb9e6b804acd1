import { setTimeout as sleep } from "node:timers/promises";
import { REPORTS_PER_BATCH } from "../report-queue.ts";

/** From this rate on, reports wait for more, because 16 reports together take half the time of 16 alone. */
const FREQUENT_PER_SECOND = 10;
/** They wait until none arrives for this time, at most long enough for a full batch at 50 reports per second. */
const QUIET_MS = 30;
const MAX_GATHER_MS = 480;
/** Their memory is held here meanwhile. A typical report has 15 KB. */
const MAX_BYTES = 1024 * 1024;

const SYSTEM_TIME = { now: () => performance.now(), sleep: (ms: number): Promise<unknown> => sleep(ms) };

/**
 * Passes on together what arrives frequently. Reports then reach their thread in one message and share a transaction,
 * because to wake another thread for each of them delays the calls of this one (decision 0265).
 */
export class Gather<Item> {
  readonly #passOn: (items: readonly Item[]) => void;
  readonly #time: typeof SYSTEM_TIME;
  #items: Item[] = [];
  #bytes = 0;
  /** Times of the last arrivals, oldest first. */
  #arrivals: number[] = [];
  #isWaiting = false;

  constructor(passOn: (items: readonly Item[]) => void, time = SYSTEM_TIME) {
    this.#passOn = passOn;
    this.#time = time;
  }

  add(item: Item, bytes: number): void {
    this.#arrivals = [...this.#arrivals.slice(1 - FREQUENT_PER_SECOND), this.#time.now()];
    this.#items.push(item);
    this.#bytes += bytes;
    const isFull = this.#items.length >= REPORTS_PER_BATCH || this.#bytes >= MAX_BYTES;
    if (isFull || !(this.#isWaiting || this.#isFrequent())) this.#pass();
    else if (!this.#isWaiting) void this.#waitForMore();
  }

  #isFrequent(): boolean {
    const [oldest = 0] = this.#arrivals;
    return this.#arrivals.length === FREQUENT_PER_SECOND && this.#time.now() - oldest < 1_000;
  }

  async #waitForMore(): Promise<void> {
    this.#isWaiting = true;
    const until = this.#time.now() + MAX_GATHER_MS;
    for (let known = 0; known < this.#items.length && this.#time.now() < until; ) {
      known = this.#items.length;
      await this.#time.sleep(QUIET_MS);
    }
    this.#isWaiting = false;
    this.#pass();
  }

  #pass(): void {
    const items = this.#items;
    this.#items = [];
    this.#bytes = 0;
    if (items.length > 0) this.#passOn(items);
  }
}
