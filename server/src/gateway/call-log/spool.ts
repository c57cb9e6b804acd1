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
import type { CallSink } from "../ports.ts";
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
  /** True for segments that will not grow. */
  isSealed(segment: number): boolean;
  isClosed(): boolean;
  /** Writes the remaining marks and seals the last segment; nothing can be logged afterwards. */
  close(): void;
}

const SEGMENT_BYTES = 16 * 1024 * 1024;
const BACKLOG_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 100;

/** Marks being written, and the callbacks to run once they are on disk. */
interface Turn {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly released: readonly (() => void)[];
  written: number;
}

export function createSpool(options: SpoolOptions): Spool {
  const { directory, newId, processes = systemProcesses } = options;
  const id = newId("spl");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeOwner(directory, id, processes.self());
  return new FileSpool(id, options);
}

class FileSpool implements Spool {
  readonly id: string;
  readonly #directory: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #segmentBytes: number;
  readonly #backlogBytes: number;
  readonly #write: NonNullable<SpoolOptions["write"]>;
  readonly #quote = createQuote();
  readonly #onTurn = () => this.#flush();

  #lines = "";
  #pendingCallbacks: (() => void)[] = [];
  #scheduled = false;
  /** Reused: a turn allocates only when it is larger than all turns before it. */
  #buffer = Buffer.allocUnsafeSlow(256 * 1024);

  /** A turn that the disk rejected completely or in part; later turns queue behind it. */
  #rejectedTurn: Turn | undefined;
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
    this.#heartbeat = this.#scheduleHeartbeat();
  }

  begin(call: StartedCall, forward: () => void): void {
    this.#append(beginLine(call, this.#quote), forward, this.#backlogBytes);
  }

  /** End marks have twice the backlog limit of begin marks, so that calls in progress can be completed. */
  end(call: EndedCall, answer: () => void): void {
    this.#append(endLine(call, this.#quote), answer, 2 * this.#backlogBytes);
  }

  healthy(): boolean {
    return this.#rejectedTurn === undefined;
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
    while (this.#pendingCallbacks.length > 0 && !this.#rejectedTurn);
    this.#retry?.cancel();
    this.#closed = true;
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #append(line: string, released: () => void, room: number): void {
    if (this.#closed || this.#lines.length > room) {
      throw new Refusal("unavailable", "The call log cannot be written", { retryAfterSeconds: 5 });
    }
    this.#lines += line;
    this.#pendingCallbacks.push(released);
    if (this.#scheduled || this.#rejectedTurn) return;
    this.#scheduled = true;
    setImmediate(this.#onTurn);
  }

  /** Writes the rejected turn first, then everything since, so that marks are in chronological order. */
  #flush(): void {
    this.#scheduled = false;
    if (this.#closed) return;
    if (this.#rejectedTurn && !this.#tryWrite(this.#rejectedTurn)) return;
    if (this.#pendingCallbacks.length === 0) return;
    this.#tryWrite(this.#takeTurn());
  }

  #takeTurn(): Turn {
    const lines = this.#lines;
    const released = this.#pendingCallbacks;
    this.#lines = "";
    this.#pendingCallbacks = [];
    // UTF-8 needs at most three bytes per UTF-16 code unit.
    if (lines.length * 3 > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(lines.length * 3);
    return { bytes: this.#buffer, length: this.#buffer.write(lines, "utf8"), released, written: 0 };
  }

  #tryWrite(turn: Turn): boolean {
    try {
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
    if (this.#segmentSize >= this.#segmentBytes) this.#rotate(this.#file);
    this.#release(turn.released);
    return true;
  }

  #retryLater(turn: Turn, error: unknown): void {
    if (!this.#rejectedTurn) this.#logger.error({ err: error }, "the call log cannot be written: calls wait");
    // The turn keeps the shared buffer; no other turn is encoded until this one is written.
    this.#rejectedTurn = turn;
    this.#retry?.cancel();
    this.#retry = this.#clock.after(RETRY_MS, this.#onTurn);
  }

  #rotate(file: number): void {
    closeSync(file);
    this.#file = undefined;
    this.#segment++;
    this.#segmentSize = 0;
  }

  #release(released: readonly (() => void)[]): void {
    for (const proceed of released) {
      try {
        proceed();
      } catch (error) {
        this.#logger.error({ err: error }, "a call failed after its mark was written");
      }
    }
  }

  #scheduleHeartbeat(): Timer {
    return this.#clock.after(HEARTBEAT_MS, () => {
      const now = this.#clock.now() / 1000;
      try {
        utimesSync(ownerPath(this.#directory, this.id), now, now);
      } catch (error) {
        this.#logger.warn({ err: error }, "the call log's owner file cannot be touched");
      }
      this.#heartbeat = this.#scheduleHeartbeat();
    });
  }
}
