import type { Logger } from "#lib/logger";

/** The database is known to be away, so nothing waits for it. Its code marks the database as unavailable (D33). */
export class PostgresAway extends Error {
  override readonly name = "PostgresAway";
  readonly code = "ETIMEDOUT";

  constructor(reason = "Postgres does not respond") {
    super(reason);
  }
}

export const ACCEPTS_NO_WRITES = "Postgres accepts no writes: it is a standby, or it is set to read-only";

/** Seconds between probes: 1, 2, 4, then every 5. */
const FIRST_PROBE_MS = 1_000;
const MAX_PROBE_MS = 5_000;

export interface AvailabilityNeeds {
  readonly logger: Logger;
  /** Opens a separate connection and runs a query. Rejects soon if Postgres does not respond, or accepts no writes. */
  probe(): Promise<void>;
  /** Ends all connections, so that no query waits for its timeout. */
  breakConnections(): void;
}

/**
 * Whether Postgres responds and accepts writes, shared by all users of the pool. A single slow query is not an outage: a
 * query without a response causes a probe, and only if that fails as well, Postgres counts as away. Then new queries fail
 * immediately until a probe succeeds.
 */
export class PostgresAvailability {
  readonly #needs: AvailabilityNeeds;
  readonly #waiting = new Set<(reason: PostgresAway) => void>();
  /** Why Postgres counts as away. */
  #reason: string | undefined;
  #isStopped = false;
  #probing: Promise<string | undefined> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(needs: AvailabilityNeeds) {
    this.#needs = needs;
  }

  /** Throws while Postgres is known to be away. */
  check(): void {
    if (this.#reason !== undefined) throw new PostgresAway(this.#reason);
  }

  /** Rejects as soon as Postgres counts as away; `discard` then receives a late result. */
  async orAway<Result>(work: Promise<Result>, discard: (result: Result) => void): Promise<Result> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#waiting.add(reject);
    try {
      return await Promise.race([work, promise]);
    } catch (error) {
      if (error instanceof PostgresAway) work.then(discard, () => {});
      throw error;
    } finally {
      this.#waiting.delete(reject);
    }
  }

  /** For a query or connection attempt that failed or has no response. Concurrent suspicions share one probe. */
  async suspect(): Promise<void> {
    if (this.#reason !== undefined || this.#isStopped) return;
    const reason = await this.#probe();
    if (reason === undefined || this.#reason !== undefined || this.#isStopped) return;
    this.#markAway(reason);
    this.#needs.breakConnections();
    for (const reject of this.#waiting) reject(new PostgresAway(reason));
    this.#probeLater(FIRST_PROBE_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #markAway(reason: string): void {
    if (reason !== this.#reason) this.#needs.logger.warn(`${reason}. Until it is available, queries fail immediately`);
    this.#reason = reason;
  }

  #probeLater(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(async () => {
      const reason = await this.#probe();
      if (reason !== undefined) {
        this.#markAway(reason);
        return this.#probeLater(Math.min(delayMs * 2, MAX_PROBE_MS));
      }
      this.#reason = undefined;
      this.#needs.logger.info("Postgres is available again");
    }, delayMs);
    this.#timer.unref();
  }

  /** Why Postgres is away, or undefined if it is not. */
  #probe(): Promise<string | undefined> {
    this.#probing ??= this.#needs
      .probe()
      .then(
        () => undefined,
        (error: unknown) => (error instanceof PostgresAway ? error : new PostgresAway()).message,
      )
      .finally(() => {
        this.#probing = undefined;
      });
    return this.#probing;
  }
}
