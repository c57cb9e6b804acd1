import type { LoggedMethod, Outcome } from "../call-log/record.ts";
import { answerParts, isComplete, notificationParts } from "../envelope/answer.ts";
import { answersConnect, OURS_WHEN_BACK } from "../envelope/connect-state.ts";
import {
  CONNECTION_ERROR,
  errorBody,
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  resultBody,
  statusOfError,
} from "../envelope/errors.ts";
import { capabilitiesWith, heldExtensions } from "../envelope/extensions.ts";
import { META_CLIENT_CAPABILITIES } from "../envelope/meta-keys.ts";
import type {
  UpstreamError,
  UpstreamNotification,
  UpstreamRequest,
  UpstreamResult,
} from "../envelope/read-response.ts";
import { rewriteCall } from "../envelope/rewrite-call.ts";
import type { EventStream } from "../exchange.ts";
import type { UpstreamAddress } from "../ports.ts";
import { AskedQuestions } from "../sessions/asked-questions.ts";
import { wantsLog } from "../sessions/logging.ts";
import { ResumableStream } from "../sessions/resumable-stream.ts";
import type { McpSession } from "../sessions/sessions.ts";
import { changedList } from "../snapshot/list-kinds.ts";
import type { Era, ServerEntry } from "../snapshot/shape.ts";
import type { UpstreamFailure } from "../upstream/failure.ts";
import { MODERN_META } from "../upstream/handshake/handshake.ts";
import type { RequestToUpstream, UpstreamCallHandle, UpstreamSink } from "../upstream/upstreams.ts";
import type { CallerShare } from "./caller-shares.ts";
import { connectFirst } from "./connect-first.ts";
import { keepPayload } from "./keep-payload.ts";
import { OUTCOME_OF_FAILURE } from "./outcomes.ts";
import {
  type Begun,
  endCall,
  JSON_HEADERS,
  type McpRequest,
  type Methods,
  refuseUnlogged,
  startedCall,
} from "./request.ts";

const CALLER_GONE = "The caller went away";
const CALLER_CANCELLED = "The caller cancelled the request";
const EVENTS = "text/event-stream";
/** What a modern upstream needs and a legacy caller cannot give: by key, as JSON text. */
const MODERN_ENVELOPE = new Map(Object.entries(MODERN_META).map(([key, value]) => [key, JSON.stringify(value)]));

/** Where a request goes, once its method has decided that it may. */
export interface Forwarding extends Begun {
  readonly method: LoggedMethod;
  readonly server: ServerEntry;
  /** The upstream's name of the tool or prompt, or its address of the resource: goes out in place of the caller's. */
  readonly name?: string;
  readonly uri?: string;
  /** JSON text of `params.ref` in the upstream's words. */
  readonly ref?: string;
  /** `Mcp-Param-*`: names and values in turn; absent: the caller's. */
  readonly paramHeaders?: readonly string[];
  /** JSON text of the result when the upstream does not know the method; absent: its error is the answer. */
  readonly resultIfUnknown?: string;
}

/** Begin mark, upstream, record, answer: the way of every request that an upstream answers (GW-21). */
export function forward(request: McpRequest, methods: Methods, to: Forwarding): void {
  if (request.exchange.gone) {
    // While the server was read for the first time: nobody waits for the call any more (GW-13).
    const { serverSlug, tool } = to;
    const ending = { serverSlug, tool, outcome: "cancelled", responseBytes: 0, error: CALLER_GONE } as const;
    endCall(request, methods, to.method, ending, () => {});
    return;
  }
  const share = methods.callerShares.take(request.principal.userId, methods.holder.current().limits);
  if ("refusal" in share) return refuseBusyCaller(request, methods, to, share.refusal, share.retrySeconds);
  const call = new ForwardedCall(request, methods, to, share);
  try {
    methods.calls.begin(startedCall(request, methods, to.method, to), () => call.send());
  } catch (error) {
    call.neverBegan();
    refuseUnlogged(request, methods, error);
  }
}

/** D36: the one answer of a call that a client may tell by its status: it is to slow down. */
function refuseBusyCaller(
  request: McpRequest,
  methods: Methods,
  { method, serverSlug, tool }: Forwarding,
  message: string,
  retrySeconds: number,
): void {
  const { exchange, call } = request;
  const body = errorBody(call.rawId, CONNECTION_ERROR, message, { requestId: exchange.requestId });
  const ending = { outcome: "denied", responseBytes: body.length, serverSlug, tool, error: message } as const;
  const headers = [...JSON_HEADERS, "retry-after", String(retrySeconds)];
  endCall(request, methods, method, ending, () => exchange.answer(429, headers, [body]));
}

/** One call between its begin mark and its record. To the upstreams it is both: what to send, and who hears the answer. */
class ForwardedCall implements RequestToUpstream, UpstreamSink {
  readonly #request: McpRequest;
  readonly #methods: Methods;
  readonly #to: Forwarding;
  readonly #share: CallerShare;
  traceHeaders: readonly string[] | undefined;
  #handle: UpstreamCallHandle | undefined;
  #stream: EventStream | undefined;
  #streamedBytes = 0;
  #forwardedAt: number | undefined;
  #questions: AskedQuestions | undefined;
  #ended = false;

  constructor(request: McpRequest, methods: Methods, to: Forwarding, share: CallerShare) {
    this.#request = request;
    this.#methods = methods;
    this.#to = to;
    this.#share = share;
    request.exchange.onGone(() => this.#callerGone());
    if (request.session) methods.sessionCalls.add(request.session, request.call.rawId, this);
  }

  /** Its begin mark could not be written. */
  neverBegan(): void {
    this.#over();
    this.#share.underWay--;
  }

  send(): void {
    if (this.#ended) return;
    this.#forwardedAt = this.#methods.clock.monotonic();
    this.traceHeaders = this.#request.trace?.towards(this.#to.server.upstream);
    const handle = this.#methods.upstreams.call(this.#to.server, this.#request.principal.userId, this, this);
    // The upstream may have failed within this very call.
    if (!this.#ended) this.#handle = handle;
  }

  get method(): string {
    return this.#request.call.method;
  }

  get name(): string | undefined {
    return this.#to.name ?? this.#to.uri;
  }

  get era(): Era {
    return this.#request.era;
  }

  get session(): McpSession | undefined {
    return this.#request.session;
  }

  get paramHeaders(): readonly string[] {
    return this.#to.paramHeaders ?? (this.era === "modern" ? this.#request.exchange.paramHeaders() : []);
  }

  buildBody(upstreamEra: Era, id: number, progressToken: number): Buffer {
    const { call, era } = this.#request;
    const envelope = upstreamEra === era ? "keep" : upstreamEra === "legacy" ? "drop" : MODERN_ENVELOPE;
    return rewriteCall(call, {
      id,
      name: this.#to.name,
      uri: this.#to.uri,
      ref: this.#to.ref,
      progressToken,
      envelope,
      capabilities: era === "modern" ? this.#capabilities() : undefined,
      without: era === "modern" && answersConnect(call) ? OURS_WHEN_BACK : undefined,
      trace: this.#request.trace?.meta,
    });
  }

  #capabilities(): string | undefined {
    const { call, scope } = this.#request;
    const claimed = call.params?.meta?.members.get(META_CLIENT_CAPABILITIES);
    return capabilitiesWith(heldExtensions(scope.prefixed), call.source, claimed);
  }

  notification(message: UpstreamNotification): void {
    const { server } = this.#to;
    const changed = changedList(message.method);
    if (changed) {
      const asks = server.upstream?.authType !== "none";
      this.#methods.announcements.heard(server.id, changed, asks ? this.#request.principal.userId : undefined);
    }
    const parts = this.#forCaller(message);
    if (this.#ended || !parts) return;
    this.#stream ??= this.#openStream();
    this.#sendEvent(this.#stream, Buffer.concat(parts));
  }

  #sendEvent(stream: EventStream, event: Buffer): void {
    this.#streamedBytes += event.length;
    if (!stream.send(event)) this.#handle?.pause();
  }

  question(message: UpstreamRequest, from: UpstreamAddress): boolean {
    const { session, exchange } = this.#request;
    if (this.#ended || !session || !exchange.header("accept")?.includes(EVENTS)) return false;
    this.#questions ??= new AskedQuestions(this.#methods, session, this.#to.server.id);
    const event = this.#questions.ask(message, from);
    if (!event) return false;
    this.#stream ??= this.#openStream();
    this.#sendEvent(this.#stream, event);
    this.#questions.keepAlive(this.#stream);
    return true;
  }

  /** What concerns this request and was asked for; undefined: nothing for the caller. */
  #forCaller(message: UpstreamNotification): Buffer[] | undefined {
    const { call, era, exchange, session } = this.#request;
    if (!exchange.header("accept")?.includes(EVENTS)) return undefined;
    if (message.method === "notifications/progress") {
      const token = call.params?.progressToken;
      return token && notificationParts(message, call.source.text(token));
    }
    // What was asked in one call may be complete in another.
    if (message.method === "notifications/elicitation/complete") return session && notificationParts(message);
    if (this.#questions && message.method !== "notifications/message") return this.#questions.about(message);
    if (message.method !== "notifications/message") return undefined;
    return era === "legacy" || wantsLog(call, message) ? notificationParts(message) : undefined;
  }

  /** Who may come back for the answer is sent away until the upstream wants to be asked again (SEP-1699). */
  resting(retryMs: number): void {
    const { exchange } = this.#request;
    if (this.#ended || !this.#methods.resumable.canDefer) return;
    if (exchange.header("accept")?.includes("text/event-stream")) this.#stream ??= this.#openResumable();
    if (this.#stream instanceof ResumableStream) this.#stream.rest(retryMs);
  }

  #openStream(): EventStream {
    const resumable = this.#openResumable();
    if (resumable) return resumable;
    const stream = this.#request.exchange.openStream();
    stream.onDrain(() => this.#handle?.resume());
    return stream;
  }

  /** Undefined: to this caller a broken connection is the end. */
  #openResumable(): ResumableStream | undefined {
    const { exchange, session } = this.#request;
    const stream = session && this.#methods.resumable.open(exchange, session, () => this.#abandon());
    stream?.onDrain(() => this.#handle?.resume());
    return stream;
  }

  response(message: UpstreamResult | UpstreamError): void {
    const { call, era } = this.#request;
    if (era === "legacy" && message.kind === "result" && !isComplete(message)) return this.#endUnanswered();
    const parts = answerParts(message, {
      rawId: call.rawId,
      method: call.method,
      era,
      serverInfo: this.#methods.serverInfoJson,
    });
    const { resultIfUnknown } = this.#to;
    if (message.kind === "error") this.#request.trace?.failedWith(message.code);
    if (message.kind === "error" && message.code === METHOD_NOT_FOUND && resultIfUnknown !== undefined)
      this.#end("ok", [resultBody(call.rawId, resultIfUnknown)], undefined);
    else if (message.kind === "error")
      this.#end("error", parts, `The server answered with error ${message.code}`, statusOfError(era, message.code));
    else this.#end(message.isError ? "tool_error" : "ok", parts, undefined);
  }

  /** A modern server wants to hear more first, and callers of this era have no way to say it: to them it would be an empty success. */
  #endUnanswered(): void {
    const { exchange, call } = this.#request;
    const words = `Server "${this.#to.server.slug}" asks for more before it answers, which this version of MCP cannot give`;
    this.#end("error", [errorBody(call.rawId, INTERNAL_ERROR, words, { requestId: exchange.requestId })], words);
  }

  failed(failure: UpstreamFailure): void {
    const { exchange, call } = this.#request;
    const body =
      failure.kind === "not-connected"
        ? connectFirst(this.#request, this.#methods, this.#to.server, failure.message)
        : errorBody(call.rawId, INTERNAL_ERROR, failure.message, { requestId: exchange.requestId });
    this.#end(OUTCOME_OF_FAILURE[failure.kind], [body], failure.message);
  }

  #end(outcome: Outcome, parts: readonly Buffer[], error: string | undefined, status = 200): void {
    if (this.#ended) return;
    this.#over();
    let responseBytes = this.#streamedBytes;
    for (const part of parts) responseBytes += part.length;
    keepPayload(this.#request, this.#methods, parts);
    this.#record(outcome, responseBytes, error, () => {
      const stream = this.#stream;
      if (!stream) return this.#request.exchange.answer(status, JSON_HEADERS, parts);
      stream.send(Buffer.concat(parts));
      stream.end();
    });
  }

  #callerGone(): void {
    if (!(this.#stream instanceof ResumableStream)) this.#abandon();
  }

  /** Nobody can receive the answer any more: the upstream need not go on (GW-13). */
  #abandon(): void {
    if (this.#ended) return;
    this.#over();
    this.#handle?.cancel();
    keepPayload(this.#request, this.#methods, []);
    this.#record("cancelled", this.#streamedBytes, CALLER_GONE, () => {});
  }

  /** The caller said so. It ignores what is answered, but its request must come to an end. */
  cancel(): void {
    if (this.#ended) return;
    this.#handle?.cancel();
    const body = errorBody(this.#request.call.rawId, CONNECTION_ERROR, "Request cancelled");
    this.#end("cancelled", [body], CALLER_CANCELLED);
  }

  #over(): void {
    this.#ended = true;
    this.#questions?.close();
    const { session, call } = this.#request;
    if (session) this.#methods.sessionCalls.delete(session, call.rawId, this);
  }

  #record(outcome: Outcome, responseBytes: number, error: string | undefined, answer: () => void): void {
    this.#share.underWay--;
    const { method, serverSlug, tool } = this.#to;
    const forwardedAt = this.#forwardedAt;
    const ending = { outcome, responseBytes, serverSlug, tool, error, forwardedAt };
    endCall(this.#request, this.#methods, method, ending, answer);
  }
}
