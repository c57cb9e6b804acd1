import type { IngestResult, ReportHead } from "./sent-report.ts";

/** As many reports as one transaction stores. More would hold it for too long. */
const REPORTS_PER_BATCH = 16;

interface Waiting<Report> {
  readonly report: Report;
  resolve(result: IngestResult): void;
  reject(error: unknown): void;
}

/**
 * Stores reports that arrive while others are stored in one transaction, because a commit waits for the disk (decision
 * 0152). A batch has one report per device, so that reports of a device are applied in their order.
 */
export class ReportQueue<Report extends { readonly head: Pick<ReportHead, "deviceId"> }> {
  readonly #store: (reports: readonly Report[]) => Promise<readonly IngestResult[]>;
  #waiting: Waiting<Report>[] = [];
  #running: Promise<void> | undefined;

  constructor(store: (reports: readonly Report[]) => Promise<readonly IngestResult[]>) {
    this.#store = store;
  }

  add(report: Report): Promise<IngestResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ report, resolve, reject });
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
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
      const batch = this.#nextBatch();
      if (!(await this.#attempt(batch)) && batch.length > 1) {
        for (const one of batch) await this.#attempt([one]);
      }
    }
  }

  #nextBatch(): Waiting<Report>[] {
    const batch = new Map<string, Waiting<Report>>();
    const later: Waiting<Report>[] = [];
    for (const each of this.#waiting) {
      const { deviceId: id } = each.report.head;
      if (batch.size < REPORTS_PER_BATCH && !batch.has(id)) batch.set(id, each);
      else later.push(each);
    }
    this.#waiting = later;
    return [...batch.values()];
  }

  /** Resolves to false if it failed. A report that fails alone is answered with its error. */
  async #attempt(batch: readonly Waiting<Report>[]): Promise<boolean> {
    try {
      const results = await this.#store(batch.map(({ report }) => report));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result) resolve(result);
        else reject(new Error("a report without a result"));
      }
      return true;
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      return false;
    }
  }
}
