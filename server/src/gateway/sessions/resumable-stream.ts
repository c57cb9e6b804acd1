import type { EventStream, Exchange } from "../exchange.ts";
import type { EventBuffer } from "./event-buffer.ts";
import type { McpSession } from "./sessions.ts";

const RETRY_MS = 1_000;
/** Separates the stream's id from the number of the event. */
const SEPARATOR = "_";

/**
 * The streamed response to one request over consecutive connections: when one breaks, events are buffered, and the
 * caller resumes with the id of the last event that arrived.
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
  /** Since when no connection reads it. */
  unreadSince: number | undefined;

  /** `lost` is called when no one can read the rest anymore. */
  constructor(id: string, session: McpSession, events: EventBuffer, lost: () => void, now: () => number) {
    this.id = id;
    this.session = session;
    this.#events = events;
    this.#lost = lost;
    this.#now = now;
  }

  /** Whether a caller can resume it. */
  get kept(): boolean {
    return this.#kept;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The first connection, or that of a resuming caller with events up to `seen`. The newest connection is used. */
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

  /** Ends only the connection; the caller should resume after that time (SEP-1699). */
  disconnect(retryMs: number): void {
    const connection = this.#connection;
    if (!this.#kept || !connection) return;
    this.begin(undefined, retryMs);
    this.#disconnected(connection);
    connection.end();
  }

  /** From now on a broken connection ends the stream. */
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

/** Undefined if it is not a valid event id. */
export function readEventId(text: string): { readonly streamId: string; readonly number: number } | undefined {
  const [, streamId, number] = /^([0-9A-Za-z]{20,40})_(\d{1,9})$/.exec(text) ?? [];
  return streamId === undefined ? undefined : { streamId, number: Number(number) };
}
