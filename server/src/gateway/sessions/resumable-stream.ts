import type { EventStream, Exchange } from "../exchange.ts";
import type { EventBuffer } from "./event-buffer.ts";
import type { McpSession } from "./sessions.ts";

const RETRY_MS = 1_000;
/** Between the stream's id and the number of the event. */
const SEPARATOR = "_";

/**
 * The streamed answer to one request, over one connection after the other: when one breaks, events are kept and the
 * caller comes back for them with the id of the last that arrived.
 */
export class ResumableStream implements EventStream {
  readonly id: string;
  readonly session: McpSession;
  readonly #events: EventBuffer;
  readonly #lost: () => void;
  readonly #now: () => number;
  #connection: EventStream | undefined;
  #drained: () => void = () => {};
  #kept = true;
  #ended = false;
  /** Since when nobody reads. */
  unreadSince: number | undefined;

  /** `lost`: nobody can read the rest any more. */
  constructor(id: string, session: McpSession, events: EventBuffer, lost: () => void, now: () => number) {
    this.id = id;
    this.session = session;
    this.#events = events;
    this.#lost = lost;
    this.#now = now;
  }

  /** Whether whoever comes back gets the rest. */
  get kept(): boolean {
    return this.#kept;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The first connection, or the one of a caller who has seen events up to `seen`. The newest counts. */
  connect(exchange: Exchange, seen = 0): void {
    const before = this.#connection;
    const connection = exchange.openStream();
    this.#connection = connection;
    this.unreadSince = undefined;
    before?.end();
    exchange.onOver(() => this.#disconnected(connection));
    connection.onDrain(() => this.#drained());
    connection.begin(this.#eventId(seen), RETRY_MS);
    for (const { number, message } of this.#events.after(seen)) connection.send(message, this.#eventId(number));
    if (this.#ended) connection.end();
  }

  send(message: Buffer): boolean {
    if (this.#kept && !this.#events.add(message)) this.forget();
    const id = this.#kept ? this.#eventId(this.#events.last) : undefined;
    return this.#connection ? this.#connection.send(message, id) : true;
  }

  onDrain(listener: () => void): void {
    this.#drained = listener;
  }

  begin(_id: string | undefined, retryMs: number): void {
    this.#connection?.begin(this.#eventId(this.#events.last), retryMs);
  }

  comment(): void {
    if (!this.#ended) this.#connection?.comment();
  }

  end(): void {
    this.#ended = true;
    this.#connection?.end();
  }

  /** Only the connection ends, the caller is to come back for the answer after that time (SEP-1699). */
  rest(retryMs: number): void {
    const connection = this.#connection;
    if (!this.#kept || !connection) return;
    this.begin(undefined, retryMs);
    this.#disconnected(connection);
    connection.end();
  }

  /** From here on a broken connection is the end. */
  forget(): void {
    this.#kept = false;
    this.#events.clear();
    if (!this.#connection && !this.#ended) this.#lost();
  }

  #disconnected(connection: EventStream): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.unreadSince = this.#now();
    if (this.#kept) this.#drained();
    else if (!this.#ended) this.#lost();
  }

  #eventId(number: number): string {
    return `${this.id}${SEPARATOR}${number}`;
  }
}

/** Undefined: not an id of an event of ours. */
export function readEventId(text: string): { readonly streamId: string; readonly number: number } | undefined {
  const [, streamId, number] = /^([0-9A-Za-z]{20,40})_(\d{1,9})$/.exec(text) ?? [];
  return streamId === undefined ? undefined : { streamId, number: Number(number) };
}
