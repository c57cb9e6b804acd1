import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { WebhookEventType } from "#lib/webhook-events";
import { type WriteAuthor, type WriteContext, writeTransaction } from "#storage/transaction";

export interface EventQueueNeeds {
  readonly context: WriteContext;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum number of waiting events; for tests. */
  readonly maxQueued?: number;
}

interface QueuedEvent {
  readonly type: WebhookEventType;
  readonly data: object;
  count: number;
}

const MAX_QUEUED = 500;
const FLUSH_MS = 1_000;
const RETRY_MS = 5_000;
const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "gateway", name: "Gateway" }, requestId: "events" };

/**
 * Accepts events from the data plane, which must not wait for the database. Events wait in memory, so a killed process loses
 * up to a second of them; writes of the control plane use `WriteTrail.emit` instead.
 */
export class EventQueue {
  /** For metrics. */
  dropped = 0;
  readonly #needs: EventQueueNeeds;
  #queue = new Map<string, QueuedEvent>();
  #next = 0;
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isDatabaseAway = false;

  constructor(needs: EventQueueNeeds) {
    this.#needs = needs;
  }

  /**
   * Never waits and never throws. Events of one type with the same `combineBy` become one event until the next flush; its
   * data is that of the first, with the number of events in `count`.
   */
  offer(type: WebhookEventType, data: object, combineBy?: string): void {
    const key = combineBy === undefined ? `${this.#next++}` : `${type} ${combineBy}`;
    const waiting = this.#queue.get(key);
    if (waiting) {
      waiting.count++;
      return;
    }
    if (this.#queue.size >= (this.#needs.maxQueued ?? MAX_QUEUED)) {
      this.dropped++;
      return;
    }
    this.#queue.set(key, { type, data, count: 1 });
    this.#timer ??= this.#needs.clock.after(FLUSH_MS, () => void this.flush());
  }

  /** Resolves when the waiting events are stored, or the attempt failed. */
  flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#store());
    return this.#writing;
  }

  async #store(): Promise<void> {
    const events = this.#queue;
    if (events.size === 0) return;
    this.#queue = new Map();
    try {
      await writeTransaction(this.#needs.context, AUTHOR, async (_tx, trail) => {
        for (const { type, data, count } of events.values()) trail.emit(type, { ...data, count });
      });
      this.#isDatabaseAway = false;
    } catch (error) {
      if (!this.#isDatabaseAway)
        this.#needs.logger.warn({ err: error }, "events wait in memory because the database is unavailable");
      this.#isDatabaseAway = true;
      this.#putBack(events);
      this.#timer ??= this.#needs.clock.after(RETRY_MS, () => void this.flush());
    }
  }

  /** Events that arrived meanwhile are combined with the ones that come back. */
  #putBack(events: Map<string, QueuedEvent>): void {
    for (const [key, event] of this.#queue) {
      const earlier = events.get(key);
      if (earlier) earlier.count += event.count;
      else if (events.size < (this.#needs.maxQueued ?? MAX_QUEUED)) events.set(key, event);
      else this.dropped += event.count;
    }
    this.#queue = events;
  }
}
