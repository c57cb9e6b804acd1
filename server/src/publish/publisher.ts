import type { SnapshotHolder } from "#gateway/snapshot/holder";
import type { Clock, Timer } from "#lib/clock";
import { Refusal } from "#lib/errors";
import type { Logger } from "#lib/logger";
import type { Databases } from "#storage/database";
import type { PublishedKind, PublishedState } from "./published-kind.ts";
import { publishedKinds } from "./published-kinds.ts";
import { advanceState, buildState, readRevision, restoreState, type StoredRecords } from "./published-state.ts";

/** Keeps the snapshot of this process up to date with the database. */
export interface Publisher {
  /** Builds the first snapshot, then follows the changes that any process writes. */
  start(): Promise<void>;
  /** Serves stored records while the database is away, and follows the changes once `databaseReady` resolves. */
  startFrom(stored: StoredRecords, databaseReady: Promise<void>): Promise<void>;
  /** Resolves when the snapshot holds the revision of a committed write. Rejects after 5 s. */
  applyUpTo(revision: number): Promise<void>;
  /** Resolves when the snapshot holds everything that the database held at the time of the call. */
  catchUp(): Promise<void>;
  /** True while the database cannot be read and the last known state is served (OPS-3). */
  isBehind(): boolean;
  /** True after a start from stored records, until the database was read. */
  isRestored(): boolean;
  /** Seconds since the snapshot was last known to be up to date. */
  ageSeconds(): number;
  stop(): Promise<void>;
}

export interface PublisherNeeds {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: SnapshotHolder;
  /** Defaults to all published kinds, without listeners. */
  readonly kinds?: readonly PublishedKind[];
}

const POLL_MS = 500;
const WAIT_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 50;
/** Well below the wait timeout, so that waiting writes succeed when the database comes back. */
const MAX_RETRY_MS = 1_000;

interface Waiter {
  readonly revision: number;
  readonly timer: Timer;
  resolve(): void;
  reject(reason: Error): void;
}

export function createPublisher(needs: PublisherNeeds): Publisher {
  return new ChangeFollower(needs);
}

class ChangeFollower implements Publisher {
  readonly #needs: PublisherNeeds;
  readonly #kinds: readonly PublishedKind[];
  readonly #waiters = new Set<Waiter>();
  #state: PublishedState | undefined;
  #wanted = false;
  #running: Promise<void> | undefined;
  #polling: Promise<void> | undefined;
  #pollTimer: Timer | undefined;
  #pause: { timer: Timer; end(): void } | undefined;
  #stopped = false;
  #behind = false;
  /** Until the database is ready after a start from stored records. */
  #isHeld = false;
  #isRestored = false;
  #currentAt: number;

  constructor(needs: PublisherNeeds) {
    this.#needs = needs;
    this.#kinds = needs.kinds ?? publishedKinds();
    this.#currentAt = needs.clock.monotonic();
  }

  async start(): Promise<void> {
    this.#install(await buildState(this.#needs.databases, this.#kinds));
    this.#currentAt = this.#needs.clock.monotonic();
    if (this.#wanted) this.#wake();
    this.#schedulePoll();
  }

  async startFrom(stored: StoredRecords, databaseReady: Promise<void>): Promise<void> {
    this.#behind = true;
    this.#isHeld = true;
    this.#isRestored = true;
    this.#install(await restoreState(this.#kinds, stored));
    this.#currentAt = this.#needs.clock.monotonic() - stored.ageMs;
    void databaseReady.then(() => {
      this.#isHeld = false;
      this.#wake();
      this.#schedulePoll();
    });
  }

  applyUpTo(revision: number): Promise<void> {
    if (this.#state && this.#state.snapshot.revision >= revision) return Promise.resolve();
    if (this.#stopped) return Promise.reject(notYetInEffect());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = this.#needs.clock.after(WAIT_TIMEOUT_MS, () => {
      this.#waiters.delete(waiter);
      reject(notYetInEffect());
    });
    const waiter: Waiter = { revision, timer, resolve, reject };
    this.#waiters.add(waiter);
    this.#wake();
    return promise;
  }

  async catchUp(): Promise<void> {
    await this.applyUpTo(await readRevision(this.#needs.databases.main));
  }

  isBehind(): boolean {
    return this.#behind;
  }

  isRestored(): boolean {
    return this.#isRestored;
  }

  ageSeconds(): number {
    return (this.#needs.clock.monotonic() - this.#currentAt) / 1000;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#pollTimer?.cancel();
    this.#endPause();
    for (const waiter of this.#waiters) {
      waiter.timer.cancel();
      waiter.reject(notYetInEffect());
    }
    this.#waiters.clear();
    await this.#polling;
    await this.#running;
  }

  /** Starts a run when idle. Requests during a run are combined into the next run. */
  #wake(): void {
    this.#wanted = true;
    if (!this.#stopped && !this.#isHeld && this.#state) this.#running ??= this.#run(this.#state);
  }

  async #run(from: PublishedState): Promise<void> {
    let state = from;
    let failures = 0;
    while (this.#wanted && !this.#stopped) {
      this.#wanted = false;
      try {
        state = await advanceState(this.#needs.databases, this.#kinds, state);
        this.#install(state);
        if (failures > 0) this.#needs.logger.info({ failures }, "Following changes again");
        failures = 0;
        this.#behind = false;
        this.#isRestored = false;
        this.#currentAt = this.#needs.clock.monotonic();
      } catch (error) {
        this.#wanted = true;
        this.#behind = true;
        if (failures === 0)
          this.#needs.logger.error({ err: error }, "Cannot read changes: serving the last known state");
        await this.#waitBeforeRetry(Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS));
        failures++;
      }
    }
    // Runs in the same tick as the loop's last check of `wanted`, so no wake is lost in between.
    this.#running = undefined;
  }

  #install(state: PublishedState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#needs.holder.swap(state.snapshot);
    for (const notify of state.notifications) notify();
    for (const waiter of this.#waiters) {
      if (waiter.revision > state.snapshot.revision) continue;
      this.#waiters.delete(waiter);
      waiter.timer.cancel();
      waiter.resolve();
    }
  }

  #schedulePoll(): void {
    if (this.#stopped) return;
    this.#pollTimer = this.#needs.clock.after(POLL_MS, () => {
      this.#polling = this.#poll();
    });
  }

  async #poll(): Promise<void> {
    // If this check fails, the run below fails as well, logs the error and retries.
    if (await this.#needs.databases.mayHaveChanged().catch(() => true)) this.#wake();
    else this.#currentAt = this.#needs.clock.monotonic();
    this.#schedulePoll();
  }

  #waitBeforeRetry(delayMs: number): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pause = { timer: this.#needs.clock.after(delayMs, resolve), end: resolve };
    return promise;
  }

  #endPause(): void {
    this.#pause?.timer.cancel();
    this.#pause?.end();
  }
}

/** The write is stored. The publisher applies it when it can read the database again. */
function notYetInEffect(): Refusal {
  return new Refusal("unavailable", "The change is stored but not yet in effect at the gateway", {
    retryAfterSeconds: 1,
  });
}
