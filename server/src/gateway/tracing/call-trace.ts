import type { EndedCall } from "../call-log/record.ts";
import { TRACEPARENT, TRACESTATE } from "../envelope/meta-keys.ts";
import type { RequestMessage } from "../envelope/read-request.ts";
import type { Exchange } from "../exchange.ts";
import type { Tracer } from "../ports.ts";
import type { UpstreamEntry } from "../snapshot/shape.ts";
import { clientSpan, serverSpan } from "./call-spans.ts";
import { type GivenContext, givenContext, type TraceContext, traceparentOf } from "./trace-context.ts";

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Undefined, and free: nobody traces, and the caller says nothing of a trace. */
export function traceOf(exchange: Exchange, call: RequestMessage, tracer: Tracer | undefined): CallTrace | undefined {
  const given = givenContext(exchange, call);
  return given || tracer ? new CallTrace(given, tracer) : undefined;
}

/** The trace that one request belongs to: what its server is told of it, and its spans where they are recorded. */
export class CallTrace {
  readonly #given: GivenContext | undefined;
  readonly #tracer: Tracer | undefined;
  /** Of our own span where it is recorded, else of the caller's. */
  readonly #context: TraceContext | undefined;
  readonly #isRecorded: boolean;
  /** What the upstream is told. */
  #onward: TraceContext | undefined;
  #upstream: UpstreamEntry | undefined;
  #errorCode: number | undefined;

  constructor(given: GivenContext | undefined, tracer: Tracer | undefined) {
    this.#given = given;
    this.#tracer = tracer;
    const begun = tracer?.begin(given?.context);
    this.#context = begun ? begun.context : given?.context;
    this.#isRecorded = begun?.isRecorded ?? false;
  }

  /** Undefined: what the caller said is no trace. */
  get traceId(): string | undefined {
    return this.#context?.traceId;
  }

  /** It goes to this upstream now: answers the headers that tell it of the trace, names and values in turn. */
  towards(upstream: UpstreamEntry | undefined): readonly string[] {
    this.#upstream = upstream;
    this.#onward = this.#isRecorded && this.#context ? this.#tracer?.child(this.#context) : this.#context;
    if (!this.#onward) return [];
    const headers = [TRACEPARENT, traceparentOf(this.#onward)];
    if (this.#onward.state !== undefined) headers.push(TRACESTATE, this.#onward.state);
    return headers;
  }

  /** What `_meta` says of it in place of what it said, by key, as JSON text; undefined: it stays as it came. */
  get meta(): ReadonlyMap<string, string> | undefined {
    const onward = this.#onward;
    if (this.#given?.metaStays && onward === this.#given.context) return undefined;
    if (!onward) return NOTHING;
    const members = new Map([[TRACEPARENT, JSON.stringify(traceparentOf(onward))]]);
    if (onward.state !== undefined) members.set(TRACESTATE, JSON.stringify(onward.state));
    return members;
  }

  /** The upstream answered with this error. */
  failedWith(jsonRpcCode: number): void {
    this.#errorCode = jsonRpcCode;
  }

  /** Both spans end with the call. */
  finish({ method, rawId }: RequestMessage, version: string | undefined, ended: EndedCall): void {
    const context = this.#context;
    if (!this.#isRecorded || !context) return;
    const call = { ended, method, rawId, version, errorCode: this.#errorCode };
    this.#tracer?.finished(serverSpan(call, context, this.#given?.context?.spanId));
    if (ended.forwardedUs === undefined || !this.#onward) return;
    this.#tracer?.finished(clientSpan(call, this.#onward, context.spanId, this.#upstream, ended.forwardedUs));
  }
}
