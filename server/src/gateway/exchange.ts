/** One HTTP exchange as the pipeline sees it, so that the pipeline knows nothing of node's request and response. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** Path and query, as they stand in the request line. */
  readonly target: string;
  /** Lower-case names; undefined when absent. A repeated Authorization header counts as none (AUTH-4). */
  header(name: string): string | undefined;
  readonly authorization: string | undefined;
  /** The caller's `Mcp-Param-*` headers: names and values in turn. */
  paramHeaders(): string[];
  /** Collects the body, and holds room for it as it comes. */
  readBody(limitBytes: number, reader: BodyReader): void;
  /** Room in memory until it is over; false: there is none left. */
  hold(bytes: number): boolean;
  /** A whole answer. `headers` are names and values in turn. */
  answer(status: number, headers: readonly string[], body: readonly Buffer[]): void;
  /** The same for a failure, also when a stream has begun: then the stream is cut off, since its status is out. */
  fail(status: number, headers: readonly string[], body: readonly Buffer[]): void;
  /** Opens an event stream; what is written goes out at once. */
  openStream(): EventStream;
  /** The caller went away before the answer was out. */
  readonly gone: boolean;
  /** Told when that happens; not when it has happened already. */
  onGone(listener: () => void): void;
  /** The answer is out, or the caller gone. */
  onOver(listener: () => void): void;
}

/** Of `done`, `tooLarge` and `noRoom` exactly one is called, unless the caller goes away first. */
export interface BodyReader {
  done(chunks: readonly Buffer[]): void;
  tooLarge(): void;
  noRoom(): void;
}

export interface EventStream {
  /** False: the caller reads more slowly than we write; wait for `onDrain`. */
  send(message: Buffer, id?: string): boolean;
  onDrain(listener: () => void): void;
  /** How long to wait before coming back; with an id also an event without data, from which a client can resume. */
  begin(id: string | undefined, retryMs: number): void;
  /** Says nothing, but shows proxies and the caller that the stream lives. */
  comment(): void;
  end(): void;
}
