import type { Clock } from "#lib/clock";
import { isDatabaseAway } from "./constraints.ts";
import type { MainDb } from "./database.ts";

/**
 * The Postgres pool has 10 connections. The others serve reads and the publisher, which every write waits for. More
 * concurrent writes would not be faster, because the change counter orders their commits.
 */
const CONCURRENT_WRITES = 6;
/** While the database is unavailable, a write that has waited longer fails without an attempt. */
const MAX_WAIT_MS = 5_000;

interface WaitingWrite {
  readonly since: number;
  start(): void;
  fail(reason: unknown): void;
}

/** Limits the concurrent write transactions of one database, in the order of arrival. */
class WriteQueue {
  readonly #waiting: WaitingWrite[] = [];
  #free = CONCURRENT_WRITES;

  async run<Result>(clock: Clock, write: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await this.#wait(clock);
    try {
      return await write();
    } catch (error) {
      if (isDatabaseAway(error)) this.#failLongWaiting(clock, error);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next) next.start();
      else this.#free++;
    }
  }

  #wait(clock: Clock): Promise<void> {
    return new Promise((start, fail) => this.#waiting.push({ since: clock.monotonic(), start, fail }));
  }

  #failLongWaiting(clock: Clock, reason: unknown): void {
    const now = clock.monotonic();
    while (this.#waiting[0] && now - this.#waiting[0].since > MAX_WAIT_MS) this.#waiting.shift()?.fail(reason);
  }
}

const queues = new WeakMap<MainDb, WriteQueue>();

export function inWriteQueue<Result>(db: MainDb, clock: Clock, write: () => Promise<Result>): Promise<Result> {
  let queue = queues.get(db);
  if (!queue) {
    queue = new WriteQueue();
    queues.set(db, queue);
  }
  return queue.run(clock, write);
}
