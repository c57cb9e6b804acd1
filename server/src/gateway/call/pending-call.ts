import type { Edit } from "#lib/json/splice";
import { CONNECTION_ERROR, errorBody } from "../envelope/errors.ts";
import type {
  UpstreamError,
  UpstreamNotification,
  UpstreamRequest,
  UpstreamResult,
} from "../envelope/read-response.ts";
import type { UpstreamAddress } from "../ports.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import type { McpSession } from "../sessions/sessions.ts";
import { changedList } from "../snapshot/list-kinds.ts";
import type { CheckedCall, Era } from "../snapshot/shape.ts";
import type { UpstreamFailure } from "../upstream/failure.ts";
import type { ResponseLease } from "../upstream/limits/response-memory.ts";
import type { RequestToUpstream, UpstreamCallHandle, UpstreamSink } from "../upstream/upstreams.ts";
import { AnswerStream, type StreamedCall } from "./answer-stream.ts";
import type { Call, CallEnding, Forwarding } from "./call.ts";
import { capturePayload } from "./capture-payload.ts";
import { checkResponse } from "./check-response.ts";
import { failureBody } from "./failure-body.ts";
import { OUTCOME_OF_FAILURE } from "./outcomes.ts";
import { outgoingBody } from "./outgoing-body.ts";
import { endCall } from "./record.ts";
import type { UserCalls } from "./user-call-limiter.ts";

export const CALLER_GONE = "The caller disconnected";
const CALLER_CANCELLED = "The caller cancelled the request";
const KEEP_ALIVE_MS = 15_000;
const NO_EDITS: readonly Edit[] = [];

/**
 * A call between its admission and its record. Upstreams read from it what to send and report the results to it. It
 * ends exactly once.
 */
export class PendingCall implements Call, RequestToUpstream, UpstreamSink, StreamedCall {
  readonly request: McpRequest;
  readonly context: GatewayContext;
  readonly to: Forwarding;
  readonly #userCalls: UserCalls;
  /** Edits of the caller's message by the request checks. */
  requestEdits: readonly Edit[] = NO_EDITS;
  traceHeaders: readonly string[] | undefined;
  #handle: UpstreamCallHandle | undefined;
  #stream: AnswerStream | undefined;
  #memory: ResponseLease | undefined;
  #forwardedAt: number | undefined;
  #ended = false;

  constructor(request: McpRequest, context: GatewayContext, to: Forwarding, userCalls: UserCalls) {
    this.request = request;
    this.context = context;
    this.to = to;
    this.#userCalls = userCalls;
    request.exchange.onGone(() => this.#callerGone());
    if (request.session) context.sessions.calls.add(request.session, request.call.rawId, this);
  }

  get memory(): ResponseLease {
    if (!this.#memory) {
      this.#memory = this.context.responseMemory.lease(this.request.principal.userId);
      this.request.exchange.onOver(() => this.#releaseMemory());
    }
    return this.#memory;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get checked(): CheckedCall {
    const { principal, call } = this.request;
    const { server, method, tool } = this.to;
    return {
      user: principal.user,
      server,
      method,
      tool,
      source: call.source,
      arguments: call.params?.arguments,
      edits: this.to.edits ?? NO_EDITS,
    };
  }

  /** Its begin mark could not be written. */
  neverBegan(): void {
    this.#close();
    this.#userCalls.inFlight--;
  }

  send(): void {
    if (this.#ended) return;
    this.#forwardedAt = this.context.clock.monotonic();
    this.traceHeaders = this.request.trace?.forwardTo(this.to.server.upstream);
    const handle = this.context.upstreams.call(this.to.server, this.request.principal.userId, this, this);
    // The upstream can fail synchronously.
    if (!this.#ended) this.#handle = handle;
  }

  get method(): string {
    return this.request.call.method;
  }

  get name(): string | undefined {
    return this.to.name ?? this.to.uri;
  }

  get era(): Era {
    return this.request.era;
  }

  get session(): McpSession | undefined {
    return this.request.session;
  }

  get paramHeaders(): readonly string[] {
    return this.to.paramHeaders ?? (this.era === "modern" ? this.request.exchange.paramHeaders() : []);
  }

  buildBody(upstreamEra: Era, id: number, progressToken: number): Buffer {
    return outgoingBody(this, upstreamEra, id, progressToken);
  }

  notification(message: UpstreamNotification): void {
    const { server } = this.to;
    const changed = changedList(message.method);
    if (changed) {
      const usesCredential = server.upstream?.authType !== "none";
      this.context.sessions.announcements.received(
        server.id,
        changed,
        usesCredential ? this.request.principal.userId : undefined,
      );
    }
    if (!this.#ended) this.#answerStream().notification(message);
  }

  question(message: UpstreamRequest, from: UpstreamAddress): boolean {
    return !this.#ended && this.#answerStream().question(message, from);
  }

  /** Proxies and clients close a connection without data, so a caller that accepts events gets comments. */
  waiting(now: number): void {
    const sentAt = this.#stream?.sentAt ?? this.request.startedAt;
    if (!this.#ended && now - sentAt >= KEEP_ALIVE_MS) this.#answerStream().keepAlive();
  }

  deferred(retryMs: number): void {
    if (!this.#ended) this.#answerStream().defer(retryMs);
  }

  response(message: UpstreamResult | UpstreamError): void {
    if (!this.#ended) checkResponse(this, message);
  }

  failed(failure: UpstreamFailure): void {
    if (this.#ended) return;
    const { kind, message } = failure;
    this.end({ outcome: OUTCOME_OF_FAILURE[kind], body: [failureBody(this, failure)], error: message });
  }

  pauseUpstream(): void {
    this.#handle?.pause();
  }

  resumeUpstream(): void {
    this.#handle?.resume();
  }

  /** GW-13: the upstream need not continue. */
  abandon(): void {
    if (this.#ended) return;
    this.#close();
    this.#handle?.cancel();
    capturePayload(this.request, this.context, []);
    this.#record({ outcome: "cancelled", body: [], error: CALLER_GONE }, () => {});
  }

  /** At the caller's request, which still gets a response although the caller ignores it. */
  cancel(): void {
    if (this.#ended) return;
    this.#handle?.cancel();
    const body = [errorBody(this.request.call.rawId, CONNECTION_ERROR, "Request cancelled")];
    this.end({ outcome: "cancelled", body, error: CALLER_CANCELLED });
  }

  /** Records the call, then answers it. */
  end(ending: CallEnding): void {
    if (this.#ended) return;
    this.#close();
    capturePayload(this.request, this.context, ending.body);
    this.#record(ending, () => {
      if (this.#stream?.isOpen) this.#stream.end(Buffer.concat(ending.body));
      else this.request.exchange.answer(ending.status ?? 200, JSON_HEADERS, ending.body);
      this.#releaseMemory();
    });
  }

  #answerStream(): AnswerStream {
    this.#stream ??= new AnswerStream(this.request, this.context, this.to.server.id, this);
    return this.#stream;
  }

  #callerGone(): void {
    if (!this.#stream?.isResumable) this.abandon();
  }

  /** A response for a caller that may resume is buffered elsewhere once it is complete. */
  #releaseMemory(): void {
    if (this.#ended && this.request.exchange.over) this.#memory?.release();
  }

  #close(): void {
    this.#ended = true;
    this.#releaseMemory();
    const { session, call } = this.request;
    if (session) this.context.sessions.calls.delete(session, call.rawId, this);
  }

  #record({ outcome, body, error }: CallEnding, answer: () => void): void {
    this.#userCalls.inFlight--;
    const { method, serverSlug, tool } = this.to;
    let responseBytes = this.#stream?.bytes ?? 0;
    for (const part of body) responseBytes += part.length;
    const ending = { outcome, responseBytes, serverSlug, tool, error, forwardedAt: this.#forwardedAt };
    endCall(this.request, this.context, method, ending, answer);
  }
}
