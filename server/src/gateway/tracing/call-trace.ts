import type { EndedCall } from "../call-log/record.ts";
import { TRACEPARENT, TRACESTATE } from "../envelope/meta-keys.ts";
import type { RequestMessage } from "../envelope/read-request.ts";
import type { Exchange } from "../exchange.ts";
import type { Tracer } from "../ports.ts";
import type { UpstreamEntry } from "../snapshot/shape.ts";
import { clientSpan, serverSpan } from "./call-spans.ts";
import { type ReceivedContext, readReceivedContext, type TraceContext, traceparentOf } from "./trace-context.ts";

const NO_MEMBERS: ReadonlyMap<string, string> = new Map();

/** Returns undefined, at no cost, when tracing is off and the caller sent no trace context. */
export function traceOf(exchange: Exchange, call: RequestMessage, tracer: Tracer | undefined): CallTrace | undefined {
  const received = readReceivedContext(exchange, call);
  return received || tracer ? new CallTrace(received, tracer) : undefined;
}

/** The trace of one request: the context sent to the upstream, and the spans if they are recorded. */
export class CallTrace {
  readonly #received: ReceivedContext | undefined;
  readonly #tracer: Tracer | undefined;
  /** The context of the gateway's span if it is recorded, otherwise the caller's. */
  readonly #context: TraceContext | undefined;
  readonly #isRecorded: boolean;
  /** The context sent to the upstream. */
  #upstreamContext: TraceContext | undefined;
  #upstream: UpstreamEntry | undefined;
  #errorCode: number | undefined;

  constructor(received: ReceivedContext | undefined, tracer: Tracer | undefined) {
    this.#received = received;
    this.#tracer = tracer;
    const begun = tracer?.begin(received?.context);
    this.#context = begun ? begun.context : received?.context;
    this.#isRecorded = begun?.isRecorded ?? false;
  }

  /** Undefined when the caller's context is invalid. */
  get traceId(): string | undefined {
    return this.#context?.traceId;
  }

  /**
   * Records the upstream that the call is forwarded to, and returns its trace headers as alternating names and values.
   */
  forwardTo(upstream: UpstreamEntry | undefined): readonly string[] {
    this.#upstream = upstream;
    this.#upstreamContext = this.#isRecorded && this.#context ? this.#tracer?.child(this.#context) : this.#context;
    if (!this.#upstreamContext) return [];
    const headers = [TRACEPARENT, traceparentOf(this.#upstreamContext)];
    if (this.#upstreamContext.state !== undefined) headers.push(TRACESTATE, this.#upstreamContext.state);
    return headers;
  }

  /** Trace members of `_meta` that replace the caller's, as JSON text by key; undefined: keep them unchanged. */
  get meta(): ReadonlyMap<string, string> | undefined {
    const upstreamContext = this.#upstreamContext;
    if (this.#received?.metaUnchanged && upstreamContext === this.#received.context) return undefined;
    if (!upstreamContext) return NO_MEMBERS;
    const members = new Map([[TRACEPARENT, JSON.stringify(traceparentOf(upstreamContext))]]);
    if (upstreamContext.state !== undefined) members.set(TRACESTATE, JSON.stringify(upstreamContext.state));
    return members;
  }

  /** Records the error returned by the upstream. */
  failedWith(jsonRpcCode: number): void {
    this.#errorCode = jsonRpcCode;
  }

  finish({ method, rawId }: RequestMessage, version: string | undefined, ended: EndedCall): void {
    const context = this.#context;
    if (!this.#isRecorded || !context) return;
    const call = { ended, method, rawId, version, errorCode: this.#errorCode };
    this.#tracer?.finished(serverSpan(call, context, this.#received?.context?.spanId));
    if (ended.forwardedUs === undefined || !this.#upstreamContext) return;
    this.#tracer?.finished(clientSpan(call, this.#upstreamContext, context.spanId, this.#upstream, ended.forwardedUs));
  }
}
