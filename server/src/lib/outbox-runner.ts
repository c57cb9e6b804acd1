import type { Clock, Timer } from "./clock.ts";
import type { Logger } from "./logger.ts";

/** A claim that keeps other processes from sending the same item. */
export interface OutboxClaim {
  /** Identifies the process. */
  readonly holder: string;
  readonly now: number;
  /** When another process may send it. */
  readonly until: number;
}

/** A table of items that are sent at least once, grouped by the channel that they leave through. */
export interface Outbox<Channel extends { readonly id: string }, Item extends { readonly id: string }> {
  /** For log messages, such as "webhook deliveries". */
  readonly name: string;
  /** Items that one process sends through a channel concurrently, so that a slow receiver delays only itself. */
  readonly maxOpenPerChannel: number;
  channelsWithDue(now: number): Promise<readonly Channel[]>;
  claim(channel: Channel, claim: OutboxClaim, limit: number): Promise<readonly Item[]>;
  /** Sends the item and records the result. */
  attempt(channel: Channel, item: Item, signal: AbortSignal): Promise<void>;
}

export interface OutboxRunnerNeeds {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: string;
}

const POLL_MS = 1_000;
/** Longer than an attempt can take. Afterwards another process assumes that this one is dead. */
export const CLAIM_MS = 30_000;

/**
 * Looks for due items and sends them. Every process does; a claim in the database keeps others from sending the same item.
 * The claim of a killed process expires, and another process sends the item again.
 */
export class OutboxRunner<Channel extends { readonly id: string }, Item extends { readonly id: string }> {
  readonly #needs: OutboxRunnerNeeds;
  readonly #outbox: Outbox<Channel, Item>;
  readonly #open = new Map<string, number>();
  readonly #sending = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #timer: Timer | undefined;
  #tick: Promise<void> | undefined;
  #isWoken = false;
  #isDatabaseAway = false;

  constructor(needs: OutboxRunnerNeeds, outbox: Outbox<Channel, Item>) {
    this.#needs = needs;
    this.#outbox = outbox;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Looks for due items now instead of after the next second. */
  wake(): void {
    this.#isWoken = true;
    if (!this.#tick && this.#timer) this.#schedule(0);
  }

  /** Items that are still being sent count as not attempted, and are due again when their claim expires. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#timer?.cancel();
    await this.#tick;
    await Promise.allSettled(this.#sending);
  }

  #schedule(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#stop.signal.aborted) return;
    this.#timer = this.#needs.clock.after(delayMs, () => {
      this.#isWoken = false;
      this.#tick = this.#claimAll().finally(() => {
        this.#tick = undefined;
        this.#schedule(this.#isWoken ? 0 : POLL_MS);
      });
    });
  }

  async #claimAll(): Promise<void> {
    const { clock, holder, logger } = this.#needs;
    const { name, maxOpenPerChannel } = this.#outbox;
    try {
      const now = clock.now();
      for (const channel of await this.#outbox.channelsWithDue(now)) {
        const free = maxOpenPerChannel - (this.#open.get(channel.id) ?? 0);
        if (free <= 0 || this.#stop.signal.aborted) continue;
        const claim = { holder, now, until: now + CLAIM_MS };
        for (const item of await this.#outbox.claim(channel, claim, free)) this.#begin(channel, item);
      }
      this.#isDatabaseAway = false;
    } catch (error) {
      if (!this.#isDatabaseAway) logger.warn({ err: error }, `${name} wait because the database is unavailable`);
      this.#isDatabaseAway = true;
    }
  }

  #begin(channel: Channel, item: Item): void {
    const { id } = channel;
    this.#open.set(id, (this.#open.get(id) ?? 0) + 1);
    const sending = this.#outbox
      .attempt(channel, item, this.#stop.signal)
      .catch((error: unknown) =>
        this.#needs.logger.warn(
          { err: error, channel: id, item: item.id },
          `the result of one of the ${this.#outbox.name} could not be recorded`,
        ),
      )
      .finally(() => {
        this.#sending.delete(sending);
        const open = (this.#open.get(id) ?? 1) - 1;
        if (open > 0) this.#open.set(id, open);
        else this.#open.delete(id);
        // More may be due for this channel.
        this.wake();
      });
    this.#sending.add(sending);
  }
}
