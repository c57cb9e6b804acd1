import type { GuardReport } from "./snapshot/shape.ts";

/** One HTTP exchange, independent of Node's request and response objects. */
export interface Exchange {
  /** A request that continues a call gets the id of the call. */
  requestId: string;
  /** The user whose share of memory `readBody` and `hold` use. */
  payer: string;
  /** The caller's IP address. */
  readonly address: string;
  readonly method: string;
  /** Path and query from the request line. */
  readonly target: string;
  /** `name` is lowercase; undefined when absent. A repeated Authorization header counts as absent (AUTH-4). */
  header(name: string): string | undefined;
  readonly authorization: string | undefined;
  /** The caller's `Mcp-Param-*` headers as alternating names and values. */
  paramHeaders(): string[];
  /** Collects the body and reserves memory for it as it arrives. */
  readBody(limitBytes: number, reader: BodyReader): void;
  /** Reserves memory until the exchange is over; false if none is left for this user. */
  hold(bytes: number): boolean;
  /** Sends a complete response. `headers` are alternating names and values. */
  answer(status: number, headers: readonly string[], body: readonly Buffer[]): void;
  /** Sends an error response. If a stream has started, it is cut off instead, because its status was already sent. */
  fail(status: number, headers: readonly string[], body: readonly Buffer[]): void;
  /** Opens an event stream. Events are written immediately. */
  openStream(): EventStream;
  /** The response was sent, or the caller disconnected. */
  readonly over: boolean;
  /** The caller disconnected before the response was sent. */
  readonly gone: boolean;
  /** Called when the caller disconnects, but not if that has already happened. */
  onGone(listener: () => void): void;
  /** Called when the response is sent or the caller disconnects. */
  onOver(listener: () => void): void;
  /** Only for requests of this process itself. */
  readonly observer?: CallObserver | undefined;
}

/** Learns what guards did with a call, for a caller that stores its calls. */
export interface CallObserver {
  /** The call leaves with these arguments. */
  forwarded(call: ForwardedCall): void;
  /** Guards acted on the request, the response, or a message before it. */
  guarded(report: GuardReport): void;
}

export interface ForwardedCall {
  /** JSON text of the caller's arguments after guards edited them. A toolkit's own arguments are not part of it. */
  readonly arguments: string;
  /** The texts that guards removed from them, and their replacements. */
  readonly removed: readonly { readonly text: string; readonly replacement: string }[];
}

/** Exactly one of the callbacks is called, unless the caller disconnects first. */
export interface BodyReader {
  done(chunks: readonly Buffer[]): void;
  tooLarge(): void;
  noRoom(): void;
}

export interface EventStream {
  /** Returns false when the caller reads too slowly; wait for `onDrain`. */
  send(message: Buffer, id?: string): boolean;
  onDrain(listener: () => void): void;
  /** Sends the reconnection delay and, with an id, an event without data that a client can resume from. */
  begin(id: string | undefined, retryMs: number): void;
  /** Sends a comment that keeps the connection alive. */
  comment(): void;
  end(): void;
}
