import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { addGuardCounts, type GuardCount } from "#records/calls";
import type { CallsDb } from "#storage/database";

export interface GuardCounterNeeds {
  readonly db: CallsDb;
  readonly clock: Clock;
  readonly logger: Logger;
}

const FLUSH_MS = 5_000;

interface Count {
  evaluated: number;
  fired: number;
  lastFiredAt: number | undefined;
}

/** Counts evaluations of guards in memory and stores them in batches. A killed process loses the last seconds. */
export class GuardCounter {
  readonly #needs: GuardCounterNeeds;
  #counts = new Map<string, Count>();
  /** Evaluations by the list of guards. */
  #lists = new Map<readonly string[], number>();
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isDatabaseAway = false;

  constructor(needs: GuardCounterNeeds) {
    this.#needs = needs;
  }

  /** Never waits and never throws. The same guards should be the same array, of which each one is kept until the next batch. */
  evaluated(guardIds: readonly string[], fired: readonly string[]): void {
    this.#lists.set(guardIds, (this.#lists.get(guardIds) ?? 0) + 1);
    for (const id of fired) {
      const count = this.#countOf(id);
      count.fired++;
      count.lastFiredAt = this.#needs.clock.now();
    }
    this.#timer ??= this.#needs.clock.after(FLUSH_MS, () => void this.flush());
  }

  /** Resolves when the counts so far are stored, or the attempt failed. */
  flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#store());
    return this.#writing;
  }

  #countOf(guardId: string): Count {
    let count = this.#counts.get(guardId);
    if (count === undefined) {
      count = { evaluated: 0, fired: 0, lastFiredAt: undefined };
      this.#counts.set(guardId, count);
    }
    return count;
  }

  async #store(): Promise<void> {
    for (const [guardIds, evaluated] of this.#lists)
      for (const id of guardIds) this.#countOf(id).evaluated += evaluated;
    this.#lists = new Map();
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    const { db, clock, logger } = this.#needs;
    try {
      await addGuardCounts(db, counts, clock.now());
      this.#isDatabaseAway = false;
    } catch (error) {
      if (!this.#isDatabaseAway)
        logger.warn({ err: error }, "counts of guards wait in memory because the database is unavailable");
      this.#isDatabaseAway = true;
      this.#putBack(counts);
      this.#timer ??= clock.after(FLUSH_MS, () => void this.flush());
    }
  }

  #putBack(counts: ReadonlyMap<string, GuardCount>): void {
    for (const [id, { evaluated, fired, lastFiredAt }] of counts) {
      const newer = this.#counts.get(id);
      this.#counts.set(id, {
        evaluated: evaluated + (newer?.evaluated ?? 0),
        fired: fired + (newer?.fired ?? 0),
        lastFiredAt: newer?.lastFiredAt ?? lastFiredAt,
      });
    }
  }
}
