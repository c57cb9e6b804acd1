/** One request with an awaited response over HTTP. For handshakes and lists, never for calls. */
import type { AnswerHeaders, Wire, WireMessage } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { isObject } from "#lib/is-object";
import { UpstreamFault } from "../failure.ts";
import { type Exchange, type ExchangeHandler, startExchange } from "./exchange.ts";

export interface Reply {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The parsed JSON-RPC response; undefined when there is none. */
  readonly response: JsonRpcResponse | undefined;
  /** The text of the response. */
  readonly text: Buffer | undefined;
}

export interface JsonRpcResponse {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly data?: unknown };
}

export interface RequestOptions {
  readonly clock: Clock;
  /** The JSON-RPC id of the awaited response; undefined for notifications and DELETE, which have none. */
  readonly id: number | undefined;
  readonly deadlineMs: number;
  readonly maxBytes: number;
}

/** How long a stream may stay open after the response. */
const LINGER_MS = 1000;

/** Rejects with UpstreamFault when there is no HTTP response. The caller checks the status. */
export function sendRequest(wire: Wire, message: WireMessage, options: RequestOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = new PendingRequest(options, resolve, reject);
    request.start(wire, message);
  });
}

class PendingRequest implements ExchangeHandler {
  readonly #options: RequestOptions;
  readonly #resolve: (reply: Reply) => void;
  readonly #reject: (fault: UpstreamFault) => void;
  readonly #deadline: { cancel(): void };
  #exchange: Exchange | undefined;

  constructor(options: RequestOptions, resolve: (reply: Reply) => void, reject: (fault: UpstreamFault) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#deadline = options.clock.after(options.deadlineMs, () => {
      this.#exchange?.abort();
      reject(new UpstreamFault("timeout", "did not respond in time"));
    });
  }

  start(wire: Wire, message: WireMessage): void {
    const limits = { idleMs: this.#options.deadlineMs, maxBytes: this.#options.maxBytes };
    this.#exchange = startExchange(wire, message, limits, this);
  }

  event(data: Buffer): void {
    const response = readJsonRpc(data, this.#options.id);
    if (!response) return;
    const exchange = this.#exchange;
    exchange?.ignore();
    this.#options.clock.after(LINGER_MS, () => exchange?.ended || exchange?.abort());
    this.#settle(200, response, data);
  }

  answer(status: number, json: boolean, body: readonly Buffer[]): void {
    const text = json ? Buffer.concat(body) : undefined;
    const response = text && readJsonRpc(text, this.#options.id);
    this.#settle(status, response, text);
  }

  streamEnd(): void {
    this.#settle(200, undefined, undefined);
  }

  fault(fault: UpstreamFault): void {
    this.#deadline.cancel();
    this.#reject(fault);
  }

  #settle(status: number, response: JsonRpcResponse | undefined, text: Buffer | undefined): void {
    this.#deadline.cancel();
    this.#resolve({ status, headers: this.#exchange?.headers ?? new Map(), response, text: response && text });
  }
}

/** Undefined for anything but a JSON-RPC response with this id. */
export function readJsonRpc(text: Buffer, id: number | undefined): JsonRpcResponse | undefined {
  const message = parse(text);
  if (!isObject(message) || message.id !== id || id === undefined) return undefined;
  if (isObject(message.result)) return { result: message.result };
  if (isObject(message.error) && typeof message.error.code === "number") {
    return { error: { code: message.error.code, data: message.error.data } };
  }
  return undefined;
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    return undefined;
  }
}
