import type { Clock, Timer } from "#lib/clock";
import { EgressFailure } from "./failure.ts";

/** The connections to one origin. */
export interface OriginPool {
  /** Requests that are queued or in progress. */
  readonly load: number;
  /** Lets requests in progress finish. */
  close(): void;
  destroy(): void;
}

interface Entry<Pool> {
  readonly pool: Pool;
  usedAtMs: number;
  /** Incremented by each use of any pool, to order uses within one millisecond. */
  use: number;
}

/**
 * One pool per origin, created on first use. Idle pools are closed after a while, and beyond `maxOrigins` the least
 * recently used one.
 */
export class OriginPools<Pool extends OriginPool> {
  readonly #entries = new Map<string, Entry<Pool>>();
  readonly #make: (origin: string) => Pool;
  readonly #clock: Clock;
  readonly #maxOrigins: number;
  readonly #idleMs: number;
  #sweep: Timer | undefined;
  #uses = 0;
  #closed = false;

  constructor(options: { make: (origin: string) => Pool; clock: Clock; maxOrigins: number; idleMs: number }) {
    this.#make = options.make;
    this.#clock = options.clock;
    this.#maxOrigins = options.maxOrigins;
    this.#idleMs = options.idleMs;
  }

  get(origin: string): Pool {
    const known = this.#entries.get(origin);
    if (known) {
      known.usedAtMs = this.#clock.monotonic();
      known.use = ++this.#uses;
      return known.pool;
    }
    if (this.#closed) throw new EgressFailure("closed", "the service is shutting down", { nothingSent: true });
    const pool = this.#make(origin);
    this.#entries.set(origin, { pool, usedAtMs: this.#clock.monotonic(), use: ++this.#uses });
    this.#makeRoom();
    this.#sweep ??= this.#clock.after(this.#idleMs, () => this.#closeIdle());
    return pool;
  }

  get size(): number {
    return this.#entries.size;
  }

  close(): void {
    this.#closed = true;
    this.#sweep?.cancel();
    for (const { pool } of this.#entries.values()) pool.destroy();
    this.#entries.clear();
  }

  /** Scans all pools, because it is rare: maintaining the order of use would cost every request. */
  #makeRoom(): void {
    if (this.#entries.size <= this.#maxOrigins) return;
    const byUse = [...this.#entries].sort(([, one], [, other]) => one.use - other.use);
    for (const [origin] of byUse.slice(0, this.#entries.size - this.#maxOrigins)) this.#retire(origin);
  }

  #closeIdle(): void {
    const limit = this.#clock.monotonic() - this.#idleMs;
    for (const [origin, { pool, usedAtMs }] of this.#entries) {
      if (usedAtMs <= limit && pool.load === 0) this.#retire(origin);
    }
    this.#sweep = this.#entries.size === 0 ? undefined : this.#clock.after(this.#idleMs, () => this.#closeIdle());
  }

  #retire(origin: string): void {
    const entry = this.#entries.get(origin);
    this.#entries.delete(origin);
    entry?.pool.close();
  }
}
