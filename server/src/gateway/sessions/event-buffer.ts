/** The events of one stream that a caller who comes back may have missed, within bounds. */
export interface BufferedEvent {
  readonly number: number;
  readonly message: Buffer;
}

/** How much may be kept for whom: counted per user and for all. */
export interface BufferRoom {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

const MOST_EVENTS = 256;
const MOST_BYTES = 1024 * 1024;
/** Beside its bytes, what an event costs. */
const EVENT_COST = 128;

export class EventBuffer {
  readonly #room: BufferRoom;
  readonly #events: BufferedEvent[] = [];
  #bytes = 0;
  #last = 0;

  constructor(room: BufferRoom) {
    this.#room = room;
  }

  /** The number of the last event, kept or not. */
  get last(): number {
    return this.#last;
  }

  /** The oldest make room: they are progress. A single one may be larger, as answers are. False: there is no room. */
  add(message: Buffer): boolean {
    const number = ++this.#last;
    const cost = message.length + EVENT_COST;
    while (this.#events.length >= MOST_EVENTS || (this.#events.length > 0 && this.#bytes + cost > MOST_BYTES)) {
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
