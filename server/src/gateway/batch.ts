/**
 * Batches, which 2025-03-26 alone knows: each request in one is judged, answered and logged as if it had come by
 * itself, and the answers go out together, in the order of the requests.
 */
import { errorBody, INTERNAL_ERROR, INVALID_REQUEST } from "./envelope/errors.ts";
import {
  type BatchMessage,
  MAX_BATCH,
  type Message,
  type ParsedRequest,
  readRequest,
} from "./envelope/read-request.ts";
import type { BodyReader, EventStream, Exchange } from "./exchange.ts";

const BATCH_VERSION = "2025-03-26";
const JSON_HEADERS = ["content-type", "application/json"];
const OPEN = Buffer.from("[");
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]");

/** Why this batch is refused as a whole; undefined: it is not. A missing version header means that version. */
export function batchProblem(batch: BatchMessage, versionHeader: string | undefined): string | undefined {
  if (versionHeader !== undefined && versionHeader !== BATCH_VERSION) return "batches are not supported";
  if (batch.elementCount === 0) return "the batch is empty";
  return batch.elementCount > MAX_BATCH ? `more than ${MAX_BATCH} messages in a batch` : undefined;
}

export type HandleMessage = (exchange: Exchange, message: Message) => void;

export function answerBatch(exchange: Exchange, batch: BatchMessage, handle: HandleMessage): void {
  const messages = batch.elements.map(({ start, end }) => readRequest(batch.source.slice(start, end)));
  const whole = new WholeBatch(exchange, messages.length);
  for (const [at, message] of messages.entries()) {
    handle(new BatchedExchange(whole, at, rawIdOf(message)), inBatch(message));
  }
}

function rawIdOf(message: ParsedRequest): string | undefined {
  return message.kind === "request" || message.kind === "invalid" ? message.rawId : undefined;
}

/** The handshake settles the version, so it stands alone; and a batch holds no batches. */
function inBatch(message: ParsedRequest): Message {
  if (message.kind === "batch") return misplaced("a batch", undefined);
  if (message.kind === "request" && message.method === "initialize") return misplaced("initialize", message.rawId);
  return message;
}

function misplaced(what: string, rawId: string | undefined): Message {
  const message = `Invalid Request: ${what} cannot be part of a batch`;
  return { kind: "invalid", jsonRpcCode: INVALID_REQUEST, message, rawId };
}

/** Collects the answers; the last one sends them all. */
class WholeBatch {
  readonly exchange: Exchange;
  readonly #answers: (readonly Buffer[])[] = [];
  readonly #goneListeners: (() => void)[] = [];
  readonly #overListeners: (() => void)[] = [];
  #missing: number;

  constructor(exchange: Exchange, size: number) {
    this.exchange = exchange;
    this.#missing = size;
    exchange.onGone(() => {
      for (const listener of this.#goneListeners) listener();
    });
    exchange.onOver(() => {
      for (const listener of this.#overListeners) listener();
    });
  }

  onGone(listener: () => void): void {
    this.#goneListeners.push(listener);
  }

  onOver(listener: () => void): void {
    this.#overListeners.push(listener);
  }

  /**
   * Answers wait for each other in memory, so they count like the bodies of requests. An empty one: a notification or a
   * response, which nobody answers.
   */
  answered(at: number, rawId: string | undefined, body: readonly Buffer[]): void {
    const length = body.reduce((sum, part) => sum + part.length, 0);
    const kept = length === 0 || this.exchange.hold(length);
    const tooMuch = "The answer has no room in memory beside the others of its batch; ask for it alone";
    this.#answers[at] = kept ? body : [errorBody(rawId, INTERNAL_ERROR, tooMuch)];
    if (--this.#missing === 0) this.#send();
  }

  #send(): void {
    const answers = this.#answers.filter((body) => body.length > 0);
    if (answers.length === 0) return this.exchange.answer(202, [], []);
    const parts = answers.flatMap((body, at) => (at === 0 ? body : [COMMA, ...body]));
    this.exchange.answer(200, JSON_HEADERS, [OPEN, ...parts, CLOSE]);
  }
}

/** One message's share of the exchange. */
class BatchedExchange implements Exchange {
  readonly requestId: string;
  readonly method = "POST";
  readonly #whole: WholeBatch;
  readonly #at: number;
  readonly #rawId: string | undefined;
  #answered = false;

  constructor(whole: WholeBatch, at: number, rawId: string | undefined) {
    this.#whole = whole;
    this.#at = at;
    this.#rawId = rawId;
    // Begin marks and records find each other by it, so each message has its own.
    this.requestId = `${whole.exchange.requestId}-${at + 1}`;
  }

  get target(): string {
    return this.#whole.exchange.target;
  }

  get authorization(): string | undefined {
    return this.#whole.exchange.authorization;
  }

  /** The answer is one JSON text: events have no place in it, and are not offered. */
  header(name: string): string | undefined {
    return name === "accept" ? "application/json" : this.#whole.exchange.header(name);
  }

  paramHeaders(): string[] {
    return [];
  }

  readBody(_limitBytes: number, reader: BodyReader): void {
    reader.done([]);
  }

  hold(bytes: number): boolean {
    return this.#whole.exchange.hold(bytes);
  }

  answer(_status: number, _headers: readonly string[], body: readonly Buffer[]): void {
    if (this.#answered) return;
    this.#answered = true;
    this.#whole.answered(this.#at, this.#rawId, body);
  }

  fail(status: number, headers: readonly string[], body: readonly Buffer[]): void {
    this.answer(status, headers, body);
  }

  /** Of a stream that is opened all the same, only the last message is the answer. */
  openStream(): EventStream {
    let last: Buffer | undefined;
    return {
      send: (message) => {
        last = message;
        return true;
      },
      onDrain: () => {},
      begin: () => {},
      comment: () => {},
      end: () => this.answer(200, JSON_HEADERS, last ? [last] : []),
    };
  }

  get gone(): boolean {
    return this.#whole.exchange.gone;
  }

  onGone(listener: () => void): void {
    this.#whole.onGone(listener);
  }

  onOver(listener: () => void): void {
    this.#whole.onOver(listener);
  }
}
