import type { Clock, Timer } from "./clock.ts";
import type { Logger } from "./logger.ts";

const POLL_MS = 1_000;

export interface WorkPollNeeds {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Looks for work in the database every second, or sooner when it is woken. */
export class WorkPoll {
  readonly #needs: WorkPollNeeds;
  /** What waits while the database is unavailable, for the log. */
  readonly #name: string;
  readonly #look: () => Promise<void>;
  #timer: Timer | undefined;
  #tick: Promise<void> | undefined;
  #isWoken = false;
  #isStopped = false;
  #isDatabaseAway = false;

  constructor(needs: WorkPollNeeds, name: string, look: () => Promise<void>) {
    this.#needs = needs;
    this.#name = name;
    this.#look = look;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Looks now instead of after the next second. */
  wake(): void {
    this.#isWoken = true;
    if (!this.#tick && this.#timer) this.#schedule(0);
  }

  /** Resolves when it does not look anymore. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#tick;
  }

  #schedule(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#isStopped) return;
    this.#timer = this.#needs.clock.after(delayMs, () => {
      this.#isWoken = false;
      this.#tick = this.#lookNow().finally(() => {
        this.#tick = undefined;
        this.#schedule(this.#isWoken ? 0 : POLL_MS);
      });
    });
  }

  async #lookNow(): Promise<void> {
    try {
      await this.#look();
      this.#isDatabaseAway = false;
    } catch (error) {
      const message = `${this.#name} wait because the database is unavailable`;
      if (!this.#isDatabaseAway) this.#needs.logger.warn({ err: error }, message);
      this.#isDatabaseAway = true;
    }
  }
}
