/**
 * Buffers the call log on disk until it is moved to the database (GW-21, OPS-2). All marks of one event-loop turn are
 * written with one `write(2)`, and only then are that turn's calls forwarded and answered. After a kill, the spool
 * therefore contains at least every call that callers and upstreams saw.
 */
import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from "node:fs";
import type { Clock, Timer } from "#lib/clock";
import { Refusal } from "#lib/errors";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { CallSink, MarkCallback } from "../ports.ts";
import { beginLine, createQuote, endLine } from "./line.ts";
import { HEARTBEAT_MS, type ProcessTable, systemProcesses, writeOwner } from "./owner.ts";
import type { EndedCall, StartedCall } from "./record.ts";
import { ownerPath, segmentPath } from "./spool-paths.ts";

export interface SpoolOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  /** A segment that reaches this size is closed and the next one is started. */
  readonly segmentBytes?: number;
  /** Maximum number of bytes that wait while the disk rejects writes. */
  readonly backlogBytes?: number;
  /** Same contract as `fs.writeSync`: may write fewer bytes, and throws when it cannot write any. */
  readonly write?: (file: number, bytes: Uint8Array, offset: number, length: number) => number;
  readonly processes?: ProcessTable;
}

export interface Spool extends CallSink {
  /** New for each process start, so two processes sharing a data directory never write the same file. */
  readonly id: string;
  /** False while the disk rejects writes: calls wait, and the process is not ready. */
  healthy(): boolean;
  /** Number of calls and responses that were rejected because the disk rejects writes. */
  readonly rejectedCalls: number;
  /** True for segments that will not grow. */
  isSealed(segment: number): boolean;
  isClosed(): boolean;
  /** Writes the remaining marks and seals the last segment; nothing can be logged afterwards. */
  close(): void;
}

const SEGMENT_BYTES = 16 * 1024 * 1024;
const BACKLOG_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 100;
/** Calls wait for the disk this long. While it rejects writes for longer, new calls are rejected immediately. */
const MAX_WAIT_MS = 10_000;
/** How often a new process tries to create its owner file on a full disk. */
const OWNER_RETRY_MS = 1_000;

/** Marks, and the callbacks to run once they are on disk. */
interface Marks {
  /** Undefined once the callback has received a failure. */
  readonly released: (MarkCallback | undefined)[];
  /** Monotonic times of marks that were added while the disk rejected writes; in the order of `released`. */
  readonly waitingSince: number[];
}

interface Turn extends Marks {
  readonly bytes: Uint8Array;
  readonly length: number;
  written: number;
}

export function createSpool(options: SpoolOptions): Spool {
  return new FileSpool(options.newId("spl"), options);
}

class FileSpool implements Spool {
  readonly id: string;
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #segmentBytes: number;
  readonly #backlogBytes: number;
  readonly #write: NonNullable<SpoolOptions["write"]>;
  readonly #processes: ProcessTable;
  readonly #quote = createQuote();
  readonly #onTurn = () => this.#flush();

  #lines = "";
  #pending: Marks = { released: [], waitingSince: [] };
  #scheduled = false;
  /** Reused: a turn allocates only when it is larger than all turns before it. */
  #buffer = Buffer.allocUnsafeSlow(256 * 1024);

  /** A turn that the disk rejected completely or in part; later turns queue behind it. */
  #rejectedTurn: Turn | undefined;
  /** Monotonic. */
  #rejectedSince: number | undefined;
  rejectedCalls = 0;
  #hasOwner = false;
  #retry: Timer | undefined;
  #heartbeat: Timer;

  #file: number | undefined;
  #segment = 1;
  #segmentSize = 0;
  #closed = false;

  constructor(id: string, options: SpoolOptions) {
    this.id = id;
    this.#directory = options.directory;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#segmentBytes = options.segmentBytes ?? SEGMENT_BYTES;
    this.#backlogBytes = options.backlogBytes ?? BACKLOG_BYTES;
    this.#write = options.write ?? writeSync;
    this.#processes = options.processes ?? systemProcesses;
    try {
      this.#writeOwner();
    } catch (error) {
      // With a full disk, the process starts and serves everything that is not logged.
      this.#logger.error({ err: error }, "the call log cannot be written: calls wait");
    }
    this.#heartbeat = this.#scheduleHeartbeat();
  }

  begin(call: StartedCall, forward: MarkCallback): void {
    if (this.#rejectedSince !== undefined && this.#clock.monotonic() - this.#rejectedSince >= MAX_WAIT_MS) {
      throw this.#refusal();
    }
    this.#append(beginLine(call, this.#quote), forward, this.#backlogBytes);
  }

  /** End marks have twice the backlog limit of begin marks, so that calls in progress can be completed. */
  end(call: EndedCall, answer: MarkCallback): void {
    this.#append(endLine(call, this.#quote), answer, 2 * this.#backlogBytes);
  }

  healthy(): boolean {
    return this.#rejectedTurn === undefined && this.#hasOwner;
  }

  isSealed(segment: number): boolean {
    return segment < this.#segment || this.#closed;
  }

  isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    if (this.#closed) return;
    this.#heartbeat.cancel();
    do this.#flush();
    while (this.#pending.released.length > 0 && !this.#rejectedTurn);
    this.#retry?.cancel();
    this.#closed = true;
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #append(line: string, released: MarkCallback, room: number): void {
    if (this.#closed || this.#lines.length > room) throw this.#refusal();
    this.#lines += line;
    this.#pending.released.push(released);
    if (this.#rejectedTurn) this.#pending.waitingSince.push(this.#clock.monotonic());
    if (this.#scheduled || this.#rejectedTurn) return;
    this.#scheduled = true;
    setImmediate(this.#onTurn);
  }

  /** Writes the rejected turn first, then everything since, so that marks are in chronological order. */
  #flush(): void {
    this.#scheduled = false;
    if (this.#closed) return;
    if (this.#rejectedTurn && !this.#tryWrite(this.#rejectedTurn)) return;
    if (this.#pending.released.length === 0) return;
    this.#tryWrite(this.#takeTurn());
  }

  #takeTurn(): Turn {
    const lines = this.#lines;
    const { released, waitingSince } = this.#pending;
    this.#lines = "";
    this.#pending = { released: [], waitingSince: [] };
    // UTF-8 needs at most three bytes per UTF-16 code unit.
    if (lines.length * 3 > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(lines.length * 3);
    return { bytes: this.#buffer, length: this.#buffer.write(lines, "utf8"), released, waitingSince, written: 0 };
  }

  #tryWrite(turn: Turn): boolean {
    try {
      if (!this.#hasOwner) this.#writeOwner();
      this.#file ??= openSync(segmentPath(this.#directory, this.id, this.#segment), "ax", 0o600);
      while (turn.written < turn.length) {
        const count = this.#write(this.#file, turn.bytes, turn.written, turn.length - turn.written);
        if (count === 0) throw new Error("the disk accepted no bytes");
        turn.written += count;
        this.#segmentSize += count;
      }
    } catch (error) {
      this.#retryLater(turn, error);
      return false;
    }
    if (this.#rejectedTurn) this.#logger.info("the call log can be written again");
    this.#rejectedTurn = undefined;
    this.#rejectedSince = undefined;
    if (this.#segmentSize >= this.#segmentBytes) this.#rotate(this.#file);
    this.#release(turn.released);
    return true;
  }

  #retryLater(turn: Turn, error: unknown): void {
    if (!this.#rejectedTurn) this.#logger.error({ err: error }, "the call log cannot be written: calls wait");
    // The turn keeps the shared buffer; no other turn is encoded until this one is written.
    this.#rejectedTurn = turn;
    this.#rejectedSince ??= this.#clock.monotonic();
    this.#rejectLongWaiting(turn, this.#rejectedSince);
    this.#rejectLongWaiting(this.#pending, this.#rejectedSince);
    this.#retry?.cancel();
    this.#retry = this.#clock.after(RETRY_MS, this.#onTurn);
  }

  /** The marks stay in the queue, because the calls may have been executed. */
  #rejectLongWaiting({ released, waitingSince }: Marks, since: number): void {
    const limit = this.#clock.monotonic() - MAX_WAIT_MS;
    for (let at = 0; at < released.length && (waitingSince[at] ?? since) <= limit; at++) {
      const callback = released[at];
      if (!callback) continue;
      released[at] = undefined;
      this.#run(callback, this.#refusal());
    }
  }

  #refusal(): Refusal {
    this.rejectedCalls++;
    return new Refusal("unavailable", "The call log cannot be written", { retryAfterSeconds: 5 });
  }

  #writeOwner(): void {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    writeOwner(this.#directory, this.id, this.#processes.self());
    this.#hasOwner = true;
  }

  #rotate(file: number): void {
    closeSync(file);
    this.#file = undefined;
    this.#segment++;
    this.#segmentSize = 0;
  }

  #release(released: Marks["released"]): void {
    for (const proceed of released) if (proceed) this.#run(proceed);
  }

  #run(callback: MarkCallback, failure?: Refusal): void {
    try {
      callback(failure);
    } catch (error) {
      this.#logger.error({ err: error }, "a call failed after its mark was written");
    }
  }

  #scheduleHeartbeat(): Timer {
    return this.#clock.after(this.#hasOwner ? HEARTBEAT_MS : OWNER_RETRY_MS, () => {
      const now = this.#clock.now() / 1000;
      try {
        if (!this.#hasOwner) this.#writeOwner();
        else utimesSync(ownerPath(this.#directory, this.id), now, now);
      } catch (error) {
        this.#logger.warn({ err: error }, "the call log's owner file cannot be written");
      }
      this.#heartbeat = this.#scheduleHeartbeat();
    });
  }
}
