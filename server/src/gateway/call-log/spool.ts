/**
 * The call log on its way to the database (GW-21, OPS-2). All marks of one loop turn go out in one `write(2)`; then,
 * and only then, that turn's calls are forwarded and answered. What a kill leaves behind is therefore never less than
 * what callers and upstreams saw.
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
  /** A segment that has grown to this size is closed and the next one begun. */
  readonly segmentBytes?: number;
  /** How much may wait for a disk that refuses writes. */
  readonly backlogBytes?: number;
  /** As `fs.writeSync`: may write less than asked for, and throws when it can write nothing. */
  readonly write?: (file: number, bytes: Uint8Array, offset: number, length: number) => number;
  readonly processes?: ProcessTable;
}

export interface Spool extends CallSink {
  /** New for each start of the process, so two processes with one data directory never write one file. */
  readonly id: string;
  /** False while the disk refuses writes: calls wait, and the process is not ready. */
  healthy(): boolean;
  /** True for segments that will not grow any more. */
  isSealed(segment: number): boolean;
  isClosed(): boolean;
  /** Writes what is left and seals the last segment; nothing can be logged afterwards. */
  close(): void;
}

const SEGMENT_BYTES = 16 * 1024 * 1024;
const BACKLOG_BYTES = 8 * 1024 * 1024;
const RETRY_MS = 100;

/** Marks that are being written, and what waits for them. */
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
  readonly #writeTurn = () => this.#flush();

  #lines = "";
  #waiting: (() => void)[] = [];
  #scheduled = false;
  /** Encoded into again and again: a turn allocates only when it is larger than any before. */
  #buffer = Buffer.allocUnsafeSlow(256 * 1024);

  /** The turn that the disk refused, wholly or in part: everything after it queues up behind it. */
  #refused: Turn | undefined;
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
    this.#heartbeat = this.#beatLater();
  }

  begin(call: StartedCall, forward: () => void): void {
    this.#append(beginLine(call, this.#quote), forward, this.#backlogBytes);
  }

  /** A forwarded call's record has twice the room of a new call's mark: what was begun shall find its end. */
  end(call: EndedCall, answer: () => void): void {
    this.#append(endLine(call, this.#quote), answer, 2 * this.#backlogBytes);
  }

  healthy(): boolean {
    return this.#refused === undefined;
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
    while (this.#waiting.length > 0 && !this.#refused);
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
    this.#waiting.push(released);
    if (this.#scheduled || this.#refused) return;
    this.#scheduled = true;
    setImmediate(this.#writeTurn);
  }

  /** The refused turn first, then all that has come together since: order in the file is order in time. */
  #flush(): void {
    this.#scheduled = false;
    if (this.#closed) return;
    if (this.#refused && !this.#tryWrite(this.#refused)) return;
    if (this.#waiting.length === 0) return;
    this.#tryWrite(this.#takeTurn());
  }

  #takeTurn(): Turn {
    const lines = this.#lines;
    const released = this.#waiting;
    this.#lines = "";
    this.#waiting = [];
    // UTF-8 needs at most three bytes for a UTF-16 unit.
    if (lines.length * 3 > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(lines.length * 3);
    return { bytes: this.#buffer, length: this.#buffer.write(lines, "utf8"), released, written: 0 };
  }

  #tryWrite(turn: Turn): boolean {
    try {
      this.#file ??= openSync(segmentPath(this.#directory, this.id, this.#segment), "ax", 0o600);
      while (turn.written < turn.length) {
        const count = this.#write(this.#file, turn.bytes, turn.written, turn.length - turn.written);
        if (count === 0) throw new Error("the disk took no bytes");
        turn.written += count;
        this.#segmentSize += count;
      }
    } catch (error) {
      this.#refuse(turn, error);
      return false;
    }
    if (this.#refused) this.#logger.info("the call log can be written again");
    this.#refused = undefined;
    if (this.#segmentSize >= this.#segmentBytes) this.#rotate(this.#file);
    this.#release(turn.released);
    return true;
  }

  #refuse(turn: Turn, error: unknown): void {
    if (!this.#refused) this.#logger.error({ err: error }, "the call log cannot be written: calls wait");
    // The shared buffer is needed by nobody until this turn is through.
    this.#refused = turn;
    this.#retry?.cancel();
    this.#retry = this.#clock.after(RETRY_MS, this.#writeTurn);
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

  #beatLater(): Timer {
    return this.#clock.after(HEARTBEAT_MS, () => {
      const now = this.#clock.now() / 1000;
      try {
        utimesSync(ownerPath(this.#directory, this.id), now, now);
      } catch (error) {
        this.#logger.warn({ err: error }, "the call log's owner file cannot be touched");
      }
      this.#heartbeat = this.#beatLater();
    });
  }
}
