import { type NewStep, recordSteps } from "#records/agents";
import type { MainDb } from "#storage/database";

export interface StepWriterNeeds {
  readonly db: MainDb;
  /** Identifies this process in claims. */
  readonly holder: string;
}

interface WaitingStep extends NewStep {
  resolve(isHeld: boolean): void;
  reject(error: unknown): void;
}

/**
 * Stores the steps of all sessions of this process. Steps that arrive while others are stored share the next transaction,
 * so many sessions take few transactions (decision 0178).
 */
export class StepWriter {
  readonly #needs: StepWriterNeeds;
  #waiting: WaitingStep[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(needs: StepWriterNeeds) {
    this.#needs = needs;
  }

  /** False: this process does not hold the session anymore, and nothing was stored. */
  write(step: NewStep): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#waiting.push({ ...step, resolve, reject });
    if (this.#waiting.length === 1) void this.inOrder(() => this.#writeWaiting());
    return promise;
  }

  /** For other writes to several sessions: concurrently with steps, they could lock each other out in Postgres. */
  inOrder<Result>(write: () => Promise<Result>): Promise<Result> {
    const written = this.#last.then(write);
    this.#last = written.catch(() => undefined);
    return written;
  }

  async #writeWaiting(): Promise<void> {
    const steps = this.#waiting;
    this.#waiting = [];
    await this.#store(steps);
  }

  async #store(steps: readonly WaitingStep[]): Promise<void> {
    const { db, holder } = this.#needs;
    try {
      const held = await recordSteps(db, holder, steps);
      for (const { row, resolve } of steps) resolve(held.has(row.session_id));
    } catch (error) {
      const bySession = Map.groupBy(steps, ({ row }) => row.session_id);
      // One of them may have been deleted meanwhile. The others do not fail with it.
      if (bySession.size > 1) for (const alone of bySession.values()) await this.#store(alone);
      else for (const { reject } of steps) reject(error);
    }
  }
}
