import { setTimeout as sleep } from "node:timers/promises";

/** As many reports as one transaction stores. More would hold it for too long. */
const REPORTS_PER_BATCH = 24;
/** From this rate on, a batch waits for more reports, because 16 reports together take half the time of 16 alone. */
const FREQUENT_PER_SECOND = 10;
/** It waits until none arrives for this time, at most long enough for a full batch at 50 reports per second. */
const QUIET_MS = 30;
const MAX_GATHER_MS = 480;

/** Real time, also where tests advance the clock manually: they wait for the answers to their reports. */
const REAL_TIME = { now: () => performance.now(), sleep: (ms: number): Promise<unknown> => sleep(ms) };

interface Waiting<Report, Result> {
  readonly report: Report;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Stores reports that arrive while others are stored in one transaction, because a commit waits for the disk (decision
 * 0152). A batch has one report per device, so that reports of a device are applied in their order.
 */
export class ReportQueue<Report extends { readonly deviceId: string }, Result> {
  readonly #store: (reports: readonly Report[]) => Promise<readonly Result[]>;
  readonly #nextTurn: () => Promise<void>;
  readonly #time: typeof REAL_TIME;
  #waiting: Waiting<Report, Result>[] = [];
  #running: Promise<void> | undefined;
  /** Times of the last arrivals, oldest first. */
  #arrivals: number[] = [];

  constructor(
    store: (reports: readonly Report[]) => Promise<readonly Result[]>,
    nextTurn: () => Promise<void>,
    time = REAL_TIME,
  ) {
    this.#store = store;
    this.#nextTurn = nextTurn;
    this.#time = time;
  }

  add(report: Report): Promise<Result> {
    this.#arrivals = [...this.#arrivals.slice(1 - FREQUENT_PER_SECOND), this.#time.now()];
    return new Promise((resolve, reject) => {
      this.#waiting.push({ report, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when nothing is waiting. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // Requests of the same turn join the first batch.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      if (this.#isFrequent()) await this.#gather();
      const batch = this.#nextBatch();
      if (!(await this.#attempt(batch)) && batch.length > 1) {
        for (const one of batch) await this.#attempt([one]);
      }
    }
    // Without a turn after the last check, so that a report that is added now starts the next run.
    this.#running = undefined;
  }

  #isFrequent(): boolean {
    const [oldest = 0] = this.#arrivals;
    return this.#arrivals.length === FREQUENT_PER_SECOND && this.#time.now() - oldest < 1_000;
  }

  async #gather(): Promise<void> {
    const until = this.#time.now() + MAX_GATHER_MS;
    for (let known = 0; known < this.#waiting.length && this.#waiting.length < REPORTS_PER_BATCH; ) {
      known = this.#waiting.length;
      await this.#time.sleep(QUIET_MS);
      if (this.#time.now() >= until) return;
    }
  }

  #nextBatch(): Waiting<Report, Result>[] {
    const batch = new Map<string, Waiting<Report, Result>>();
    const later: Waiting<Report, Result>[] = [];
    for (const each of this.#waiting) {
      const { deviceId: id } = each.report;
      if (batch.size < REPORTS_PER_BATCH && !batch.has(id)) batch.set(id, each);
      else later.push(each);
    }
    this.#waiting = later;
    return [...batch.values()];
  }

  /** Resolves to false if it failed. A report that fails alone is answered with its error. */
  async #attempt(batch: readonly Waiting<Report, Result>[]): Promise<boolean> {
    try {
      const results = await this.#store(batch.map(({ report }) => report));
      void this.#release(batch, results);
      return true;
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      return false;
    }
  }

  /** In turns, because 24 responses together would delay the calls of this thread. */
  async #release(batch: readonly Waiting<Report, Result>[], results: readonly Result[]): Promise<void> {
    for (const [index, { resolve, reject }] of batch.entries()) {
      if (index > 0) await this.#nextTurn();
      const result = results[index];
      if (result) resolve(result);
      else reject(new Error("a report without a result"));
    }
  }
}
