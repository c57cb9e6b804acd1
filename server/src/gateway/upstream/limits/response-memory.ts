import type { Clock, Timer } from "#lib/clock";

/** Responses up to this size are not counted: they fit into the buffers of their connections. */
export const UNCOUNTED_BYTES = 64 * 1024;

/**
 * How long a response may wait for memory; meanwhile its upstream's connection is not read. Callers that hold memory
 * and stop reading are disconnected after the same time.
 */
const MAX_WAIT_MS = 60_000;
/** No caller takes more than this share, unless a single response is larger. */
const CALLER_SHARE = 1 / 4;

interface CallerMemory {
  bytes: number;
  /** First come, first served. */
  readonly waiting: Wait[];
}

interface Wait {
  readonly bytes: number;
  readonly lease: ResponseLease;
  readonly timer: Timer;
  readonly done: (granted: boolean) => void;
}

/**
 * GW-10, GW-16: limits the memory of large responses, per caller and in total. A response counts from the moment it
 * arrives until its caller has read it, so callers that do not read cannot exhaust the memory of the process.
 */
export class ResponseMemory {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #callerLimit: number;
  /** Callers with responses. The first one is the next to be considered when memory is released. */
  readonly #callers = new Map<string, CallerMemory>();
  #held = 0;

  constructor(clock: Clock, limitBytes: number) {
    this.#clock = clock;
    this.#limit = limitBytes;
    this.#callerLimit = limitBytes * CALLER_SHARE;
  }

  lease(userId: string): ResponseLease {
    return new ResponseLease(this, userId);
  }

  /** For metrics. */
  get heldBytes(): number {
    return this.#held;
  }

  /** Takes more for a lease; false if that exceeds a limit, or others wait. */
  take(lease: ResponseLease, bytes: number): boolean {
    const caller = this.#callers.get(lease.userId) ?? this.#add(lease.userId);
    if (caller.waiting.length > 0 || !this.#fits(caller, bytes)) {
      this.#forgetIfIdle(lease.userId, caller);
      return false;
    }
    caller.bytes += bytes;
    this.#held += bytes;
    return true;
  }

  wait(lease: ResponseLease, bytes: number, done: (granted: boolean) => void): void {
    const caller = this.#callers.get(lease.userId) ?? this.#add(lease.userId);
    const timer = this.#clock.after(MAX_WAIT_MS, () => {
      this.cancel(lease);
      done(false);
    });
    caller.waiting.push({ bytes, lease, timer, done });
  }

  cancel(lease: ResponseLease): void {
    const caller = this.#callers.get(lease.userId);
    const at = caller?.waiting.findIndex((wait) => wait.lease === lease) ?? -1;
    if (!caller || at === -1) return;
    for (const { timer } of caller.waiting.splice(at, 1)) timer.cancel();
    this.#forgetIfIdle(lease.userId, caller);
  }

  giveBack(userId: string, bytes: number): void {
    const caller = this.#callers.get(userId);
    if (!caller) return;
    caller.bytes -= bytes;
    this.#held -= bytes;
    this.#forgetIfIdle(userId, caller);
    this.#grant();
  }

  /** A caller without other responses may exceed the share. */
  #fits(caller: CallerMemory, bytes: number): boolean {
    const isWithinShare = caller.bytes === 0 || caller.bytes + bytes <= this.#callerLimit;
    return isWithinShare && this.#held + bytes <= this.#limit;
  }

  /** Alternates between the callers, so that a caller with many does not delay the others. */
  #grant(): void {
    let granted = true;
    while (granted) {
      granted = false;
      for (const [userId, caller] of [...this.#callers]) granted = this.#grantNext(userId, caller) || granted;
    }
  }

  #grantNext(userId: string, caller: CallerMemory): boolean {
    const [next] = caller.waiting;
    if (!next || !this.#fits(caller, next.bytes)) return false;
    caller.waiting.shift();
    next.timer.cancel();
    caller.bytes += next.bytes;
    this.#held += next.bytes;
    this.#callers.delete(userId);
    this.#callers.set(userId, caller);
    next.lease.granted(next.bytes);
    next.done(true);
    return true;
  }

  #add(userId: string): CallerMemory {
    const caller = { bytes: 0, waiting: [] };
    this.#callers.set(userId, caller);
    return caller;
  }

  #forgetIfIdle(userId: string, { bytes, waiting }: CallerMemory): void {
    if (bytes === 0 && waiting.length === 0) this.#callers.delete(userId);
  }
}

/** The memory of one response. */
export class ResponseLease {
  readonly userId: string;
  readonly #memory: ResponseMemory;
  #bytes = 0;
  #released = false;

  constructor(memory: ResponseMemory, userId: string) {
    this.#memory = memory;
    this.userId = userId;
  }

  /** Grows to this size; false if there is no memory for it now. */
  grow(bytes: number): boolean {
    if (bytes <= this.#bytes) return true;
    if (this.#released || !this.#memory.take(this, bytes - this.#bytes)) return false;
    this.#bytes = bytes;
    return true;
  }

  /** Like `grow`, but waits for memory. `done` is not called after the release. */
  growLater(bytes: number, done: (granted: boolean) => void): void {
    if (!this.#released) this.#memory.wait(this, bytes - this.#bytes, done);
  }

  granted(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Returns what the response does not need. */
  shrink(bytes: number): void {
    if (bytes >= this.#bytes) return;
    const unused = this.#bytes - bytes;
    this.#bytes = bytes;
    this.#memory.giveBack(this.userId, unused);
  }

  release(): void {
    this.#released = true;
    this.#memory.cancel(this);
    this.shrink(0);
  }
}
