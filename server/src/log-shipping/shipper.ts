import type { Egress } from "#egress/egress";
import type { Clock, Timer } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import { type RandomBytes, randomUint30 } from "#lib/random";
import {
  claimCursor,
  dueCursors,
  findLogDestination,
  type LogDestinationSecrets,
  moveCursor,
  newestPosition,
  openLogSecrets,
  releaseCursors,
} from "#records/log-destinations";
import type { LogCursorRow, LogDestinationKind, LogDestinationRow } from "#storage/log-destination-tables";
import { VaultFault } from "#storage/vault";
import { type Batch, type BatchLimits, collectBatch } from "./batch.ts";
import { type MeasuredLag, measureLags } from "./measure-lags.ts";
import { type RecordReaderNeeds, testRecord } from "./records.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { type ShipmentResult, ship, TOO_LARGE } from "./send.ts";

export interface LogShipperNeeds extends RecordReaderNeeds {
  readonly egress: Pick<Egress, "request">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: RandomBytes;
  readonly newId: NewId;
  /** Identifies this process in claims. */
  readonly holder: string;
  /** `LOG_FILES_DIR`. */
  readonly filesFolder: string | undefined;
  nextTurn(): Promise<void>;
}

const POLL_MS = 2_000;
/** Longer than a batch can take. Afterwards another process assumes that this one is dead. */
const CLAIM_MS = 60_000;
/** Batches in memory. */
const MAX_CONCURRENT = 8;
const LAGS_EVERY_MS = 10_000;
const MIB = 1024 * 1024;
const SMALL: BatchLimits = { maxRecords: 500, maxBytes: MIB };
/** Objects are larger and rarer than requests, because a bucket's owner pays for each. */
const LIMITS: Readonly<Record<LogDestinationKind, BatchLimits & { readonly everyMs: number }>> = {
  otlp: { ...SMALL, everyMs: 0 },
  webhook: { ...SMALL, everyMs: 0 },
  file: { ...SMALL, everyMs: 0 },
  s3: { maxRecords: 5_000, maxBytes: 4 * MIB, everyMs: 60_000 },
};

/**
 * Ships the logs to their destinations. Each cursor is shipped by the process that holds its claim, in the order of the
 * log: the cursor is stored only after the receiver has the batch, so every record arrives at least once (decision 0148).
 */
export class LogShipper {
  readonly #needs: LogShipperNeeds;
  readonly #shipping = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #timer: Timer | undefined;
  #tick: Promise<void> | undefined;
  #isDatabaseAway = false;
  #lags: readonly MeasuredLag[] = [];
  #lagsAt = Number.NEGATIVE_INFINITY;

  constructor(needs: LogShipperNeeds) {
    this.#needs = needs;
  }

  get writesFiles(): boolean {
    return this.#needs.filesFolder !== undefined;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Looks for work now instead of after the next poll. */
  wake(): void {
    if (!this.#tick && this.#timer) this.#schedule(0);
  }

  /** The batches that are being sent are not finished: they are sent again. */
  async stop(): Promise<void> {
    const wasStarted = this.#timer !== undefined;
    this.#stop.abort();
    this.#timer?.cancel();
    await this.#tick;
    await Promise.allSettled(this.#shipping.values());
    // If the database is away, the claims expire.
    if (wasStarted) await releaseCursors(this.#needs.databases.main, this.#needs.holder).catch(() => {});
  }

  /** As of the last poll, for metrics. */
  lags(): readonly MeasuredLag[] {
    return this.#lags;
  }

  /** Sends one marked record. It is not retried, and no cursor moves. */
  async sendTest(destination: LogDestinationRow, userName: string): Promise<ShipmentResult> {
    const { clock, newId } = this.#needs;
    const at = clock.now();
    const record = testRecord(newId("evt"), at, destination.name, userName);
    const batch = { source: "test" as const, records: [record], lines: [`${JSON.stringify(record.body)}\n`] };
    return this.#ship(destination, batch);
  }

  #schedule(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#stop.signal.aborted) return;
    this.#timer = this.#needs.clock.after(delayMs, () => {
      this.#tick = this.#shipDue().finally(() => {
        this.#tick = undefined;
        this.#schedule(POLL_MS);
      });
    });
  }

  async #shipDue(): Promise<void> {
    const { databases, clock, holder, logger } = this.#needs;
    try {
      if (clock.monotonic() - this.#lagsAt >= LAGS_EVERY_MS) {
        this.#lags = await measureLags(databases, clock.now());
        this.#lagsAt = clock.monotonic();
      }
      for (const cursor of await dueCursors(databases.main, holder, clock.now(), CLAIM_MS)) {
        const key = `${cursor.destination_id} ${cursor.source}`;
        if (this.#shipping.has(key) || this.#shipping.size >= MAX_CONCURRENT) continue;
        const shipping = this.#catchUp(cursor)
          .catch((error: unknown) =>
            logger.warn({ err: error, destination: cursor.destination_id }, "a log could not be shipped"),
          )
          .finally(() => this.#shipping.delete(key));
        this.#shipping.set(key, shipping);
      }
      this.#isDatabaseAway = false;
    } catch (error) {
      if (!this.#isDatabaseAway) logger.warn({ err: error }, "log shipping waits because the database is unavailable");
      this.#isDatabaseAway = true;
    }
  }

  /** Ships batches until nothing waits, a batch fails, or another process takes over. */
  async #catchUp(due: LogCursorRow): Promise<void> {
    const { databases, clock, holder } = this.#needs;
    let maxRecords = Number.POSITIVE_INFINITY;
    while (!this.#stop.signal.aborted) {
      const cursor = await claimCursor(databases.main, due, { holder, now: clock.now(), claimMs: CLAIM_MS });
      const destination = cursor && (await findLogDestination(databases.main, cursor.destination_id));
      if (!destination) return;
      const outcome = await this.#shipNext(destination, cursor, maxRecords);
      if (outcome === "idle") return;
      maxRecords = outcome.maxRecords;
    }
  }

  /** `idle`: wait until the cursor is due again. */
  async #shipNext(
    destination: LogDestinationRow,
    cursor: LogCursorRow,
    maxRecords: number,
  ): Promise<"idle" | { readonly maxRecords: number }> {
    const { databases } = this.#needs;
    const newest = await newestPosition(databases, cursor.source);
    if (newest < cursor.position) {
      // The log was restored from a backup and ends before the cursor.
      await this.#move(cursor, { position: newest, furthest: newest });
      return "idle";
    }
    if (newest === cursor.position) return "idle";
    const { everyMs, ...limits } = LIMITS[destination.kind];
    const batch = await collectBatch(this.#needs, cursor, newest, {
      ...{ ...limits, maxRecords: Math.min(maxRecords, limits.maxRecords), outcomes: destination.outcomes },
    });
    const result = batch.records.length === 0 ? NOTHING_SENT : await this.#ship(destination, batch);
    if (this.#stop.signal.aborted && result.error !== null) return "idle";
    if (result.status === TOO_LARGE && result.error !== null) return this.#shrink(cursor, batch, result);
    if (result.error !== null) {
      await this.#noteFailure(cursor, result);
      return "idle";
    }
    const isMoved = await this.#noteSuccess(cursor, batch, result, batch.isFull ? 0 : everyMs);
    return isMoved && batch.isFull ? { maxRecords } : "idle";
  }

  async #ship(
    destination: LogDestinationRow,
    batch: Pick<Batch, "source" | "records" | "lines">,
  ): Promise<ShipmentResult> {
    const { egress, filesFolder, clock } = this.#needs;
    const secrets = this.#secretsOf(destination);
    if (!secrets) return NO_SECRET;
    const needs = { egress, filesFolder, signal: this.#stop.signal };
    return ship(needs, { destination, secrets, batch, at: clock.now() });
  }

  /** A receiver that rejects a request as too large gets half of it. A single record that is too large is skipped. */
  async #shrink(
    cursor: LogCursorRow,
    batch: Batch,
    result: ShipmentResult,
  ): Promise<"idle" | { readonly maxRecords: number }> {
    if (batch.records.length > 1) return { maxRecords: Math.floor(batch.records.length / 2) };
    const warning = "The receiver rejected a record because it is too large (413). The record was skipped";
    const skipped = { ...result, error: null, rejected: 1, warning };
    return (await this.#noteSuccess(cursor, batch, skipped, 0)) ? { maxRecords: Number.POSITIVE_INFINITY } : "idle";
  }

  #noteSuccess(
    cursor: LogCursorRow,
    { end, records, lost }: Batch,
    { rejected, warning }: ShipmentResult,
    waitMs: number,
  ): Promise<boolean> {
    const now = this.#needs.clock.now();
    if (lost > 0)
      this.#needs.logger.warn(
        { destination: cursor.destination_id, source: cursor.source, lost },
        "retention deleted log records before they were shipped",
      );
    return this.#move(cursor, {
      ...{ position: end, furthest: Math.max(end, cursor.furthest), failures: 0, failing_since: null },
      ...{ last_error: warning, due_at: now + waitMs, rejected: cursor.rejected + rejected },
      ...(records.length > 0 && { shipped: cursor.shipped + records.length - rejected, shipped_at: now }),
      ...(lost > 0 && { lost: cursor.lost + lost, lost_at: now }),
    });
  }

  async #noteFailure(cursor: LogCursorRow, { error, retryAfterMs }: ShipmentResult): Promise<void> {
    const { clock, random, logger } = this.#needs;
    const now = clock.now();
    const failures = cursor.failures + 1;
    const delayMs = retryDelayMs(failures, randomUint30(random) / 2 ** 30, retryAfterMs);
    if (failures === 1)
      logger.warn({ destination: cursor.destination_id, source: cursor.source, error }, "a log destination fails");
    await this.#move(cursor, {
      ...{ failures, failing_since: cursor.failing_since ?? now, last_error: error, due_at: now + delayMs },
    });
  }

  #move(cursor: LogCursorRow, changes: Parameters<typeof moveCursor>[3]): Promise<boolean> {
    const { databases, holder } = this.#needs;
    return moveCursor(databases.main, cursor, holder, changes);
  }

  /** Undefined if they do not open; the vault logs it. */
  #secretsOf(destination: LogDestinationRow): LogDestinationSecrets | undefined {
    try {
      return openLogSecrets(this.#needs.vault, destination);
    } catch (error) {
      if (error instanceof VaultFault) return undefined;
      throw error;
    }
  }
}

const NOTHING_SENT: ShipmentResult = {
  ...{ status: null, error: null, response: null, retryAfterMs: 0, rejected: 0, warning: null },
};
const NO_SECRET: ShipmentResult = {
  ...NOTHING_SENT,
  error: "The secrets cannot be opened with the keys of this installation. Save them again",
};
