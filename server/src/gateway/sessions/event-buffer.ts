/** The events of one stream that a resuming caller may have missed, up to a limit. */
export interface BufferedEvent {
  readonly number: number;
  readonly message: Buffer;
}

/** The memory that may be used, counted per user and in total. */
export interface BufferLimits {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

const MAX_EVENTS = 256;
const MAX_BYTES = 1024 * 1024;
/** Overhead of an event in addition to its bytes. */
const EVENT_COST = 128;

export class EventBuffer {
  readonly #room: BufferLimits;
  readonly #events: BufferedEvent[] = [];
  #bytes = 0;
  #last = 0;

  constructor(room: BufferLimits) {
    this.#room = room;
  }

  /** The number of the last event, buffered or not. */
  get last(): number {
    return this.#last;
  }

  /**
   * Drops the oldest events to make room, because they are progress. A single event may exceed the limit, because it
   * can be the response. False if there is no room.
   */
  add(message: Buffer): boolean {
    const number = ++this.#last;
    const cost = message.length + EVENT_COST;
    while (this.#events.length >= MAX_EVENTS || (this.#events.length > 0 && this.#bytes + cost > MAX_BYTES)) {
      this.#drop();
    }
    if (!this.#room.take(cost)) return false;
    this.#bytes += cost;
    this.#events.push({ number, message });
    return true;
  }

  after(number: number): BufferedEvent[] {
    return this.#events.filter((event) => event.number > number);
  }

  clear(): void {
    while (this.#events.length > 0) this.#drop();
  }

  #drop(): void {
    const cost = (this.#events.shift()?.message.length ?? 0) + EVENT_COST;
    this.#bytes -= cost;
    this.#room.give(cost);
  }
}
