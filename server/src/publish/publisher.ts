import type { SnapshotHolder } from "#gateway/snapshot/holder";
import type { Clock, Timer } from "#lib/clock";
import { Refusal } from "#lib/errors";
import type { Logger } from "#lib/logger";
import type { Databases } from "#storage/database";
import type { McpSessionRow } from "#storage/session-tables";
import { advanceState, buildState, type PublishedState, readRevision } from "./published-state.ts";

/** Keeps this process's snapshot as new as the database. */
export interface Publisher {
  /** Builds the first snapshot, then follows the changes of all processes. */
  start(): Promise<void>;
  /** For a write that has committed: resolves when the snapshot holds its revision, rejects after 5 s. */
  applyUpTo(revision: number): Promise<void>;
  /** Resolves when the snapshot is as new as the database was at the call. */
  catchUp(): Promise<void>;
  /** True while the database cannot be read: what is served is the last known state (OPS-3). */
  isBehind(): boolean;
  /** How long ago the snapshot was known to be as new as the database. */
  ageSeconds(): number;
  stop(): Promise<void>;
}

export interface PublisherNeeds {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: SnapshotHolder;
  /** Told before a write is answered which connections it changed, by their keys; undefined: any may have changed. */
  connectionsChanged?(keys: Iterable<string> | undefined): void;
  /** Told what is new of mcp sessions; of some it may have been told before. */
  sessionsChanged?(sessions: readonly McpSessionRow[]): void;
}

const POLL_MS = 500;
const PATIENCE_MS = 5_000;
const FIRST_RETRY_MS = 50;
/** Well below the patience of those who wait, so that a database that comes back still serves them. */
const LONGEST_RETRY_MS = 1_000;

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
  readonly #waiters = new Set<Waiter>();
  #state: PublishedState | undefined;
  #wanted = false;
  #running: Promise<void> | undefined;
  #polling: Promise<void> | undefined;
  #pollTimer: Timer | undefined;
  #pause: { timer: Timer; end(): void } | undefined;
  #stopped = false;
  #behind = false;
  #currentAt: number;

  constructor(needs: PublisherNeeds) {
    this.#needs = needs;
    this.#currentAt = needs.clock.monotonic();
  }

  async start(): Promise<void> {
    this.#install(await buildState(this.#needs.databases));
    this.#currentAt = this.#needs.clock.monotonic();
    if (this.#wanted) this.#wake();
    this.#schedulePoll();
  }

  applyUpTo(revision: number): Promise<void> {
    if (this.#state && this.#state.snapshot.revision >= revision) return Promise.resolve();
    if (this.#stopped) return Promise.reject(notYetInEffect());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = this.#needs.clock.after(PATIENCE_MS, () => {
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

  /** Acts at once when idle; what is asked for during a run is joined into the one that follows it. */
  #wake(): void {
    this.#wanted = true;
    if (!this.#stopped && this.#state) this.#running ??= this.#run(this.#state);
  }

  async #run(from: PublishedState): Promise<void> {
    let state = from;
    let failures = 0;
    while (this.#wanted && !this.#stopped) {
      this.#wanted = false;
      try {
        state = await advanceState(this.#needs.databases, state);
        this.#install(state);
        if (failures > 0) this.#needs.logger.info({ failures }, "Following changes again");
        failures = 0;
        this.#behind = false;
        this.#currentAt = this.#needs.clock.monotonic();
      } catch (error) {
        this.#wanted = true;
        this.#behind = true;
        if (failures === 0)
          this.#needs.logger.error({ err: error }, "Cannot read changes: serving the last known state");
        await this.#rest(Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
        failures++;
      }
    }
    // In the same turn as the loop's last look at `wanted`, so that no wake falls between the two.
    this.#running = undefined;
  }

  #install(state: PublishedState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#needs.holder.swap(state.snapshot);
    this.#needs.connectionsChanged?.(state.changedConnections);
    if (state.changedSessions.length > 0) this.#needs.sessionsChanged?.(state.changedSessions);
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
    // A look that fails counts as "perhaps": the run that follows then fails, tells it and tries again.
    if (await this.#needs.databases.mayHaveChanged().catch(() => true)) this.#wake();
    else this.#currentAt = this.#needs.clock.monotonic();
    this.#schedulePoll();
  }

  #rest(delayMs: number): Promise<void> {
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

/** The write itself is safe: its change is applied as soon as the database can be read again. */
function notYetInEffect(): Refusal {
  return new Refusal("unavailable", "The change is stored but not yet in effect at the gateway", {
    retryAfterSeconds: 1,
  });
}
