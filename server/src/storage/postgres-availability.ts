import type { Logger } from "#lib/logger";

/** The database is known to be away, so nothing waits for it. Its code marks the database as unavailable (D33). */
export class PostgresAway extends Error {
  override readonly name = "PostgresAway";
  readonly code = "ETIMEDOUT";

  constructor() {
    super("Postgres does not respond");
  }
}

/** Seconds between probes: 1, 2, 4, then every 5. */
const FIRST_PROBE_MS = 1_000;
const MAX_PROBE_MS = 5_000;

export interface AvailabilityNeeds {
  readonly logger: Logger;
  /** Opens a separate connection and runs a query. Rejects soon if Postgres does not respond. */
  probe(): Promise<void>;
  /** Ends all connections, so that no query waits for its timeout. */
  breakConnections(): void;
}

/**
 * Whether Postgres responds, shared by all users of the pool. A single slow query is not an outage: a query without a
 * response causes a probe, and only if that fails as well, Postgres counts as away. Then new queries fail immediately
 * until a probe succeeds.
 */
export class PostgresAvailability {
  readonly #needs: AvailabilityNeeds;
  readonly #waiting = new Set<(reason: PostgresAway) => void>();
  #isAway = false;
  #isStopped = false;
  #probing: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(needs: AvailabilityNeeds) {
    this.#needs = needs;
  }

  /** Throws while Postgres is known to be away. */
  check(): void {
    if (this.#isAway) throw new PostgresAway();
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

  /** For a query or connection attempt without a response. Concurrent suspicions share one probe. */
  async suspect(): Promise<void> {
    if (this.#isAway || this.#isStopped || (await this.#probe())) return;
    if (this.#isAway || this.#isStopped) return;
    this.#isAway = true;
    this.#needs.logger.warn("Postgres does not respond: queries fail immediately until it does");
    this.#needs.breakConnections();
    for (const reject of this.#waiting) reject(new PostgresAway());
    this.#probeLater(FIRST_PROBE_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #probeLater(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(async () => {
      if (!(await this.#probe())) return this.#probeLater(Math.min(delayMs * 2, MAX_PROBE_MS));
      this.#isAway = false;
      this.#needs.logger.info("Postgres responds again");
    }, delayMs);
    this.#timer.unref();
  }

  #probe(): Promise<boolean> {
    this.#probing ??= this.#needs
      .probe()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#probing = undefined;
      });
    return this.#probing;
  }
}
