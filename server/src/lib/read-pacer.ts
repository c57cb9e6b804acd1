/**
 * Shares the event loop between sources of data. A source that takes much processing time is read in short turns, so
 * that an endless stream or many large bodies do not delay small responses (GW-12, GW-16).
 */
import type { Clock } from "./clock.ts";

/** Processing time that a lane may use without turns: a share of the time, after a burst. */
const FREE_SHARE = 0.02;
const BURST_MS = 10;
/**
 * While others are active, all turns together take at most this long, and this many bytes, whose buffers must be
 * allocated and collected. Then there is a pause.
 */
const TURNS_MS = 0.3;
const TURNS_BYTES = 256 * 1024;
const PAUSE_MS = 9;
/**
 * The pause between the turns of administration, of all its requests together. It is longer while several requests share
 * the turns, because their queries use the processors too.
 */
const BETWEEN_TURNS_MS = 4;
const BETWEEN_SHARED_TURNS_MS = 8;
/** While no others are active, turns take this long, and everything else is served in between. */
const ALONE_MS = 3;
/** Others count as active for this long after their last data. */
const ACTIVE_MS = 25;
/** A source that received no more than this since its start is never read in turns. */
const SMALL_BYTES = 16 * 1024;
/** What receiving a byte takes before it is processed, and collecting its buffer later: about 1.5 ms per MiB. */
const RECEIVE_MS_PER_BYTE = 1.5 / (1024 * 1024);
const MIN_PIECE_BYTES = 1024;
const MAX_PIECE_BYTES = 64 * 1024;

/** Work that is done in turns. */
export interface Turns {
  /** Processes at most about this many bytes. Returns whether more waits. */
  takeTurn(pieceBytes: number): boolean;
}

export class ReadPacer {
  readonly #clock: Clock;
  /** Lanes with work that waits for a turn. */
  readonly #lanes: ReadLane[] = [];
  #isScheduled = false;
  /** The lane that uses little time and was active last, when that was, and when another one was active before. */
  #activeLane: ReadLane | undefined;
  #activeAt = Number.NEGATIVE_INFINITY;
  #otherActiveAt = Number.NEGATIVE_INFINITY;
  /** The last turn of administration that is given or promised. */
  #administrationAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What shares a lane shares its turns. */
  lane(): ReadLane {
    return new ReadLane(this);
  }

  now(): number {
    return this.#clock.monotonic();
  }

  noteActivity(lane: ReadLane, now: number): void {
    if (lane !== this.#activeLane) this.#otherActiveAt = this.#activeAt;
    this.#activeLane = lane;
    this.#activeAt = now;
  }

  enqueue(lane: ReadLane): void {
    this.#lanes.push(lane);
    if (!this.#isScheduled) this.#schedule(this.now());
  }

  /** A lane does not wait for its own small responses. */
  hasOthersThan(lane: ReadLane | undefined, now: number): boolean {
    const activeAt = lane === this.#activeLane ? this.#otherActiveAt : this.#activeAt;
    return now - activeAt < ACTIVE_MS;
  }

  /** Yields to the event loop; while requests are active, long enough that several are processed in between. */
  nextTurn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const now = this.now();
    if (this.hasOthersThan(undefined, now)) {
      const isShared = this.#administrationAt > now;
      this.#administrationAt = isShared ? this.#administrationAt + BETWEEN_SHARED_TURNS_MS : now + BETWEEN_TURNS_MS;
      this.#clock.after(this.#administrationAt - now, resolve);
    } else setImmediate(resolve);
    return promise;
  }

  #schedule(now: number): void {
    this.#isScheduled = true;
    if (this.hasOthersThan(this.#lanes[0], now)) this.#clock.after(PAUSE_MS, () => this.#takeTurns());
    else setImmediate(() => this.#takeTurns());
  }

  #takeTurns(): void {
    const startedAt = this.now();
    let now = startedAt;
    let bytes = 0;
    const [maxMs, maxBytes] = this.hasOthersThan(this.#lanes[0], now)
      ? [TURNS_MS, TURNS_BYTES]
      : [ALONE_MS, Number.POSITIVE_INFINITY];
    while (now - startedAt < maxMs && bytes < maxBytes) {
      const lane = this.#lanes.shift();
      if (!lane) break;
      bytes += lane.pieceBytes;
      const hasMore = lane.takeTurn(now);
      now = this.now();
      if (hasMore) this.#lanes.push(lane);
    }
    this.#isScheduled = false;
    if (this.#lanes.length > 0) this.#schedule(now);
  }
}

/** The work for one origin or server. */
export class ReadLane {
  readonly #pacer: ReadPacer;
  readonly #waiting: Turns[] = [];
  /** Recent processing time, which decreases over time. */
  #spentMs = 0;
  #spentAt = 0;
  #isHeavy = false;
  /** The size of the next piece. */
  pieceBytes = MIN_PIECE_BYTES;

  constructor(pacer: ReadPacer) {
    this.#pacer = pacer;
  }

  now(): number {
    return this.#pacer.now();
  }

  /** A request or a small amount of data is processed now. */
  noteActivity(now: number): void {
    if (!this.isHeavy(now)) this.#pacer.noteActivity(this, now);
  }

  /** Stays so until half of the burst is available again, because changing back and forth has no benefit. */
  isHeavy(now: number): boolean {
    if (!this.#isHeavy && this.#spentMs <= BURST_MS) return false;
    this.#decrease(now);
    this.#isHeavy = this.#spentMs > (this.#isHeavy ? BURST_MS / 2 : BURST_MS);
    return this.#isHeavy;
  }

  /** While no others are active, data that takes little time needs no turns. */
  mustWait(now: number): boolean {
    return this.isHeavy(now) && (this.pieceBytes < MAX_PIECE_BYTES || this.#pacer.hasOthersThan(this, now));
  }

  /** These bytes were processed since then. */
  spend(since: number, bytes: number): void {
    const now = this.#pacer.now();
    this.#decrease(now);
    this.#spentMs += now - since + bytes * RECEIVE_MS_PER_BYTE;
    // Pieces are small enough that a turn does not take much longer than planned.
    if (now - since > TURNS_MS / 2) this.pieceBytes = Math.max(this.pieceBytes / 2, MIN_PIECE_BYTES);
  }

  enqueue(work: Turns): void {
    this.#waiting.push(work);
    if (this.#waiting.length === 1) this.#pacer.enqueue(this);
  }

  /** Does one piece of work. Returns whether more waits. */
  takeTurn(startedAt: number): boolean {
    const work = this.#waiting[0];
    const hasMore = work?.takeTurn(this.pieceBytes);
    const { pieceBytes } = this;
    this.spend(startedAt, pieceBytes);
    if (this.pieceBytes === pieceBytes) this.pieceBytes = Math.min(pieceBytes * 2, MAX_PIECE_BYTES);
    this.#waiting.shift();
    if (work && hasMore) this.#waiting.push(work);
    return this.#waiting.length > 0;
  }

  #decrease(now: number): void {
    this.#spentMs = Math.max(0, this.#spentMs - (now - this.#spentAt) * FREE_SHARE);
    this.#spentAt = now;
  }
}

export interface PacedSource {
  read(piece: Buffer): void;
  /** Whether received data waits for a turn; then no more should be received. */
  onWaiting(isWaiting: boolean): void;
}

/** Passes the chunks of one source on, immediately or in turns. */
export class PacedReader implements Turns {
  readonly #lane: ReadLane;
  readonly #source: PacedSource;
  #received = 0;
  #chunks: Buffer[] = [];
  #isPaused = false;
  #isQueued = false;

  constructor(lane: ReadLane, source: PacedSource) {
    this.#lane = lane;
    this.#source = source;
  }

  get isWaiting(): boolean {
    return this.#chunks.length > 0;
  }

  /** What follows belongs to another response. */
  restart(now: number): void {
    this.#received = 0;
    this.#chunks = [];
    this.#lane.noteActivity(now);
  }

  push(chunk: Buffer, now: number): void {
    this.#received += chunk.length;
    if (this.isWaiting) this.#chunks.push(chunk);
    else if (this.#received <= SMALL_BYTES) {
      this.#lane.noteActivity(now);
      this.#source.read(chunk);
    } else if (this.#lane.mustWait(now)) {
      this.#chunks.push(chunk);
      this.#enqueue();
      this.#source.onWaiting(true);
    } else {
      this.#source.read(chunk);
      this.#lane.spend(now, chunk.length);
    }
  }

  /** Stops and continues the turns. */
  set paused(isPaused: boolean) {
    this.#isPaused = isPaused;
    if (!isPaused && this.isWaiting) this.#enqueue();
  }

  takeTurn(pieceBytes: number): boolean {
    const [chunk] = this.#chunks;
    this.#isQueued = chunk !== undefined && !this.#isPaused;
    if (!chunk || !this.#isQueued) return false;
    if (chunk.length > pieceBytes) this.#chunks[0] = chunk.subarray(pieceBytes);
    else this.#chunks.shift();
    this.#source.read(chunk.subarray(0, pieceBytes));
    this.#isQueued = this.isWaiting && !this.#isPaused;
    if (!this.isWaiting) this.#source.onWaiting(false);
    return this.#isQueued;
  }

  #enqueue(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.#lane.enqueue(this);
  }
}
