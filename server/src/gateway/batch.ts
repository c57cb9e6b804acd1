/**
 * Batches, which only version 2025-03-26 supports. Each request is checked, answered, and logged as if it were sent
 * alone, and the responses are returned together in the order of the requests.
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

/** Why the batch is rejected, or undefined. A missing version header means the batch version. */
export function batchProblem(batch: BatchMessage, versionHeader: string | undefined): string | undefined {
  if (versionHeader !== undefined && versionHeader !== BATCH_VERSION) return "batches are not supported";
  if (batch.elementCount === 0) return "the batch is empty";
  return batch.elementCount > MAX_BATCH ? `more than ${MAX_BATCH} messages in a batch` : undefined;
}

export type HandleMessage = (exchange: Exchange, message: Message) => void;

export function answerBatch(exchange: Exchange, batch: BatchMessage, handle: HandleMessage): void {
  const messages = batch.elements.map(({ start, end }) => readRequest(batch.source.slice(start, end)));
  const batchResponses = new BatchResponses(exchange, messages.length);
  for (const [at, message] of messages.entries()) {
    handle(new BatchedExchange(batchResponses, at, rawIdOf(message)), checkAllowed(message));
  }
}

function rawIdOf(message: ParsedRequest): string | undefined {
  return message.kind === "request" || message.kind === "invalid" ? message.rawId : undefined;
}

/** The handshake determines the version, so it cannot be part of a batch; nor can another batch. */
function checkAllowed(message: ParsedRequest): Message {
  if (message.kind === "batch") return notAllowed("a batch", undefined);
  if (message.kind === "request" && message.method === "initialize") return notAllowed("initialize", message.rawId);
  return message;
}

function notAllowed(what: string, rawId: string | undefined): Message {
  const message = `Invalid Request: ${what} cannot be part of a batch`;
  return { kind: "invalid", jsonRpcCode: INVALID_REQUEST, message, rawId };
}

/** Collects the responses and sends them together after the last one. */
class BatchResponses {
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
   * Responses wait in memory, so they count toward the limit like request bodies. An empty body belongs to a
   * notification or a response, which is not answered.
   */
  answered(at: number, rawId: string | undefined, body: readonly Buffer[]): void {
    const length = body.reduce((sum, part) => sum + part.length, 0);
    const kept = length === 0 || this.exchange.hold(length);
    const tooMuch = "The response does not fit in memory with the other responses of its batch; send the request alone";
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

/** The part of the exchange for one message. */
class BatchedExchange implements Exchange {
  requestId: string;
  readonly payer: string;
  readonly method = "POST";
  readonly #batch: BatchResponses;
  readonly #at: number;
  readonly #rawId: string | undefined;
  #answered = false;

  constructor(batchResponses: BatchResponses, at: number, rawId: string | undefined) {
    this.#batch = batchResponses;
    this.#at = at;
    this.#rawId = rawId;
    this.payer = batchResponses.exchange.payer;
    // Begin marks and records are matched by this id, so each message has its own.
    this.requestId = `${batchResponses.exchange.requestId}-${at + 1}`;
  }

  get address(): string {
    return this.#batch.exchange.address;
  }

  get target(): string {
    return this.#batch.exchange.target;
  }

  get authorization(): string | undefined {
    return this.#batch.exchange.authorization;
  }

  /** A batch is answered with one JSON text, so events are not accepted. */
  header(name: string): string | undefined {
    return name === "accept" ? "application/json" : this.#batch.exchange.header(name);
  }

  paramHeaders(): string[] {
    return [];
  }

  readBody(_limitBytes: number, reader: BodyReader): void {
    reader.done([]);
  }

  hold(bytes: number): boolean {
    return this.#batch.exchange.hold(bytes);
  }

  answer(_status: number, _headers: readonly string[], body: readonly Buffer[]): void {
    if (this.#answered) return;
    this.#answered = true;
    this.#batch.answered(this.#at, this.#rawId, body);
  }

  fail(status: number, headers: readonly string[], body: readonly Buffer[]): void {
    this.answer(status, headers, body);
  }

  /** If a stream is opened anyway, only its last message becomes the response. */
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

  /** Responses that wait for the rest of the batch are held with the batch. */
  get over(): boolean {
    return this.#answered || this.#batch.exchange.over;
  }

  get gone(): boolean {
    return this.#batch.exchange.gone;
  }

  onGone(listener: () => void): void {
    this.#batch.onGone(listener);
  }

  onOver(listener: () => void): void {
    this.#batch.onOver(listener);
  }
}
