/**
 * Moves the call log from the spool into the database (GW-21, OPS-2). Each record is inserted exactly once, even if the
 * process is killed, the database is unavailable, or another process works on the same directory: records and position
 * are committed together, and a step fails if the stored position has changed.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { type CallRecord, forgetSpools, LogNames, moveCalls, type SpoolStep, spoolPosition } from "#records/calls";
import type { CallsDb } from "#storage/database";
import { afterInterrupted, FINISHED, interruptedAt, positionIn } from "./spool-position.ts";
import { type SpoolFiles, SpoolTail, type StartedCall } from "./spool-tail.ts";

export interface CallMoverOptions {
  readonly files: SpoolFiles;
  readonly db: CallsDb;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface CallMover {
  /** Recovers the spools of dead processes, then moves this process's records continuously until `stop`. */
  start(): void;
  /** Moves at most one batch of this process's spool; returns the number of records. */
  moveOnce(): Promise<number>;
  /** Moves and finishes all spools whose writer is dead; returns the number of records. */
  recover(): Promise<number>;
  /** Moves everything that is in this process's spool now; false if the time runs out first. */
  catchUp(timeoutMs: number): Promise<boolean>;
  /** For this process's spool: number of records in the database, and time since the spool was last read. */
  progress(): { readonly moved: number; readonly lagSeconds: number };
  /**
   * Ends the loop. Deletes the files of a closed spool that is completely moved; other spools wait for the next start.
   */
  stop(): Promise<void>;
}

const BATCH = 1_000;
const IDLE_MS = 200;
const RECOVER_EVERY_MS = 30_000;
const MAX_BACKOFF_MS = 10_000;
/** Longer than any process could still be working on a spool that another one finished. */
const FORGET_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
const INTERRUPTED_ERROR = "The gateway stopped while the call was under way";

/** The stored position has changed: read it again and continue from there. */
class PositionMoved extends Error {}

export function createCallMover(options: CallMoverOptions): CallMover {
  return new SpoolMover(options);
}

class SpoolMover implements CallMover {
  readonly #files: SpoolFiles;
  readonly #db: CallsDb;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #names = new LogNames();
  #own: SpoolTail | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #timer: Timer | undefined;
  #running = false;
  #failures = 0;
  #moved = 0;
  #movedAt: number;
  #recoverAt = Number.NEGATIVE_INFINITY;

  constructor({ files, db, clock, logger }: CallMoverOptions) {
    this.#files = files;
    this.#db = db;
    this.#clock = clock;
    this.#logger = logger;
    this.#movedAt = clock.monotonic();
  }

  start(): void {
    this.#running = true;
    this.#schedule(0);
  }

  async moveOnce(): Promise<number> {
    return (await this.#alone(() => this.#moveOwn())).records;
  }

  recover(): Promise<number> {
    return this.#alone(() => this.#recoverAll());
  }

  async catchUp(timeoutMs: number): Promise<boolean> {
    const deadline = this.#clock.monotonic() + timeoutMs;
    for (;;) {
      try {
        const { more } = await this.#alone(() => this.#moveOwn());
        if (!more) return true;
      } catch (error) {
        this.#logger.warn({ err: error }, "the call log could not be moved into the database");
        await new Promise<void>((resolve) => this.#clock.after(IDLE_MS, resolve));
      }
      if (this.#clock.monotonic() >= deadline) return false;
    }
  }

  progress(): { moved: number; lagSeconds: number } {
    return { moved: this.#moved, lagSeconds: (this.#clock.monotonic() - this.#movedAt) / 1000 };
  }

  async stop(): Promise<void> {
    this.#running = false;
    this.#timer?.cancel();
    try {
      await this.#alone(() => this.#finishOwn());
    } catch (error) {
      this.#logger.warn({ err: error }, "the call log's spool could not be finished and remains for the next start");
    }
  }

  /** Runs one task at a time: the loop, recovery and catch-up share the tail. */
  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => {});
    return result;
  }

  #schedule(delayMs: number): void {
    this.#timer = this.#clock.after(delayMs, () => void this.#tick());
  }

  async #tick(): Promise<void> {
    let delayMs = IDLE_MS;
    try {
      if (this.#clock.monotonic() >= this.#recoverAt) {
        await this.recover();
        this.#recoverAt = this.#clock.monotonic() + RECOVER_EVERY_MS;
      }
      // Only a full batch is followed immediately by the next. Under load, small batches would cost more than the
      // calls.
      if ((await this.#alone(() => this.#moveOwn())).records >= BATCH) delayMs = 0;
      this.#failures = 0;
    } catch (error) {
      if (this.#failures === 0)
        this.#logger.warn({ err: error }, "the call log waits in the spool because the database is unavailable");
      delayMs = Math.min(IDLE_MS * 2 ** this.#failures++, MAX_BACKOFF_MS);
    }
    if (this.#running) this.#schedule(delayMs);
  }

  async #moveOwn(): Promise<{ records: number; more: boolean }> {
    try {
      this.#own ??= await this.#openTail(this.#files.ownId);
      const moved = await this.#movePiece(this.#own);
      await this.#own.removeRead();
      this.#moved += moved.records;
      this.#movedAt = this.#clock.monotonic();
      return moved;
    } catch (error) {
      if (error instanceof PositionMoved) this.#own = undefined;
      throw error;
    }
  }

  async #openTail(spoolId: string): Promise<SpoolTail> {
    return new SpoolTail(this.#files, spoolId, await spoolPosition(this.#db, spoolId));
  }

  /** Moves the next records of a spool; other marks are only read. */
  async #movePiece(tail: SpoolTail): Promise<{ records: number; more: boolean }> {
    for (;;) {
      const piece = await tail.next(BATCH);
      if (!piece) return { records: 0, more: false };
      const { segment, nextOffset, records, unreadable, more } = piece;
      if (unreadable > 0)
        this.#logger.error({ spool: tail.spoolId, segment, unreadable }, "call log lines are damaged");
      if (records.length === 0) {
        tail.take(piece, tail.stored);
        continue;
      }
      const to = positionIn(segment, nextOffset);
      await this.#step({ spool: tail.spoolId, from: tail.stored, to, records });
      tail.take(piece, to);
      return { records: records.length, more };
    }
  }

  async #step(step: SpoolStep): Promise<void> {
    if (!(await moveCalls(this.#db, this.#names, step, this.#clock.now()))) {
      throw new PositionMoved(`the position of spool ${step.spool} is no longer ${step.from}`);
    }
  }

  async #recoverAll(): Promise<number> {
    let recovered = 0;
    for (const spoolId of await this.#files.abandoned()) {
      try {
        recovered += await this.#recoverOne(spoolId);
      } catch (error) {
        if (!isRace(error)) throw error;
        this.#logger.info({ err: error, spool: spoolId }, "another process is recovering this spool");
      }
    }
    await forgetSpools(this.#db, FINISHED, this.#clock.now() - FORGET_AFTER_MS);
    if (recovered > 0) this.#logger.info({ records: recovered }, "recovered the call log of a process that was killed");
    return recovered;
  }

  async #recoverOne(spoolId: string): Promise<number> {
    const tail = await this.#openTail(spoolId);
    let recovered = 0;
    if (tail.stored !== FINISHED) {
      for (let moved = -1; moved !== 0; recovered += moved) moved = (await this.#movePiece(tail)).records;
      recovered += await this.#interrupt(tail);
    }
    await this.#removeFiles(spoolId);
    return recovered;
  }

  /** A begin mark without a record is a call that was running when its process died (OPS-2). */
  async #interrupt(tail: SpoolTail): Promise<number> {
    const open = tail.openCalls.map(interrupted);
    let position = tail.stored;
    const before = interruptedAt(position);
    for (let done = before; position !== FINISHED; ) {
      const records = open.slice(done, done + BATCH);
      done += records.length;
      const to = done >= open.length ? FINISHED : afterInterrupted(done);
      await this.#step({ spool: tail.spoolId, from: position, to, records });
      position = to;
    }
    return Math.max(0, open.length - before);
  }

  async #finishOwn(): Promise<void> {
    if (!this.#files.isOwnClosed()) return;
    while ((await this.#moveOwn()).more);
    const tail = this.#own;
    if (!tail || tail.openCalls.length > 0) return;
    await this.#step({ spool: tail.spoolId, from: tail.stored, to: FINISHED, records: [] });
    await this.#removeFiles(tail.spoolId);
  }

  /** Only for a finished spool. If the process is killed meanwhile, the next recovery removes the remaining files. */
  async #removeFiles(spoolId: string): Promise<void> {
    for (const segment of await this.#files.segments(spoolId)) await this.#files.remove(spoolId, segment);
    await this.#files.removeOwner(spoolId);
  }
}

function interrupted(call: StartedCall): CallRecord {
  return { ...call, outcome: "interrupted", durationUs: 0, responseBytes: 0, error: INTERRUPTED_ERROR };
}

/** Another process advanced this spool or has removed its files. */
function isRace(error: unknown): boolean {
  return error instanceof PositionMoved || (error instanceof Error && "code" in error && error.code === "ENOENT");
}
