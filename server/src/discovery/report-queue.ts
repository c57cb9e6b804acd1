/** As many reports as one transaction stores. More would hold it for too long. */
export const REPORTS_PER_BATCH = 24;

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
  #waiting: Waiting<Report, Result>[] = [];
  #running: Promise<void> | undefined;

  constructor(store: (reports: readonly Report[]) => Promise<readonly Result[]>, nextTurn: () => Promise<void>) {
    this.#store = store;
    this.#nextTurn = nextTurn;
  }

  add(report: Report): Promise<Result> {
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
    // Reports of the same turn join the first batch, as those that the thread checked together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch();
      if (!(await this.#attempt(batch)) && batch.length > 1) {
        for (const one of batch) await this.#attempt([one]);
      }
    }
    // Without a turn after the last check, so that a report that is added now starts the next run.
    this.#running = undefined;
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
