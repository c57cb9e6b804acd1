import { WorkPoll, type WorkPollNeeds } from "./work-poll.ts";

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

export interface OutboxRunnerNeeds extends WorkPollNeeds {
  readonly holder: string;
}

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
  readonly #poll: WorkPoll;

  constructor(needs: OutboxRunnerNeeds, outbox: Outbox<Channel, Item>) {
    this.#needs = needs;
    this.#outbox = outbox;
    this.#poll = new WorkPoll(needs, outbox.name, () => this.#claimAll());
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  start(): void {
    this.#poll.start();
  }

  /** Looks for due items now instead of after the next second. */
  wake(): void {
    this.#poll.wake();
  }

  /** Items that are still being sent count as not attempted, and are due again when their claim expires. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#poll.stop();
    await Promise.allSettled(this.#sending);
  }

  async #claimAll(): Promise<void> {
    const { clock, holder } = this.#needs;
    const now = clock.now();
    for (const channel of await this.#outbox.channelsWithDue(now)) {
      const free = this.#outbox.maxOpenPerChannel - (this.#open.get(channel.id) ?? 0);
      if (free <= 0 || this.#stop.signal.aborted) continue;
      const claim = { holder, now, until: now + CLAIM_MS };
      for (const item of await this.#outbox.claim(channel, claim, free)) this.#begin(channel, item);
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
