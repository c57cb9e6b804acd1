import type { Edit } from "#lib/json/splice";
import { CONNECTION_ERROR, errorBody, INTERNAL_ERROR } from "../envelope/errors.ts";
import type {
  UpstreamError,
  UpstreamNotification,
  UpstreamRequest,
  UpstreamResult,
} from "../envelope/read-response.ts";
import type { Exchange } from "../exchange.ts";
import { type GatewayContext, JSON_HEADERS, type McpRequest } from "../request.ts";
import type { UpstreamAddress } from "../session-ports.ts";
import type { McpSession } from "../sessions/sessions.ts";
import { changedList } from "../snapshot/list-kinds.ts";
import type { Era } from "../snapshot/shape.ts";
import type { UpstreamFailure } from "../upstream/failure.ts";
import type { ResponseLease } from "../upstream/limits/response-memory.ts";
import type { QuestionRecipient } from "../upstream/sessions/upstream-session.ts";
import type { RequestToUpstream, UpstreamCallHandle, UpstreamSink } from "../upstream/upstreams.ts";
import { AnswerStream, type StreamedCall } from "./answer-stream.ts";
import { isStillValid } from "./approvals/still-valid.ts";
import type { Call, CallEnding, Forwarding } from "./call.ts";
import type { CallCount } from "./call-limiter.ts";
import type { CallSlots } from "./call-slots.ts";
import { CallState } from "./call-state.ts";
import { checkResponse } from "./check-response.ts";
import { CheckedMessages } from "./checked-messages.ts";
import { failureBody } from "./failure-body.ts";
import { currentServer } from "./held/current-server.ts";
import { canHold, type HeldCall, type SuspendableCall } from "./held/held-call.ts";
import { InputRounds } from "./held/input-rounds.ts";
import { OUTCOME_OF_FAILURE } from "./outcomes.ts";
import { outgoingBody } from "./outgoing-body.ts";
import { endCall } from "./record.ts";

export const CALLER_GONE = "The caller disconnected";
const CALLER_CANCELLED = "The caller cancelled the request";
const NO_ACCESS = "You no longer have access to this, or its server has changed";
const KEEP_ALIVE_MS = 15_000;

export interface CountedCall {
  readonly user: CallCount;
  /** Undefined without limits of groups and tools. */
  readonly slots: CallSlots | undefined;
}

/**
 * A call between its admission and its record. Upstreams read from it what to send and report the results to it. It
 * ends exactly once.
 */
export class PendingCall
  extends CallState
  implements Call, RequestToUpstream, UpstreamSink, StreamedCall, SuspendableCall
{
  /** Undefined while no request of the caller is counted. */
  #userCalls: CallCount | undefined;
  readonly #slots: CallSlots | undefined;
  #messages: CheckedMessages | undefined;
  traceHeaders: readonly string[] | undefined;
  #handle: UpstreamCallHandle | undefined;
  #stream: AnswerStream | undefined;
  #memory: ResponseLease | undefined;
  #recipient: QuestionRecipient | null | undefined;
  #held: HeldCall | undefined;
  #rounds: InputRounds | undefined;
  #forwardedAt: number | undefined;
  /** Sent with earlier requests of the caller. */
  #earlierBytes = 0;
  #resumedAt: number | undefined;
  #whenEnded: (() => void) | undefined;
  #ended = false;

  constructor(request: McpRequest, context: GatewayContext, to: Forwarding, counted: CountedCall) {
    super(request, context, to);
    this.#userCalls = counted.user;
    this.#slots = counted.slots;
    this.#watch(request.exchange);
    if (request.session) context.sessions.calls.add(request.session, request.call.rawId, this);
  }

  get memory(): ResponseLease {
    if (!this.#memory) {
      this.#memory = this.context.responseMemory.lease(this.request.principal.userId);
      this.request.exchange.onOver(() => this.#releaseMemory());
    }
    return this.#memory;
  }

  /** Only legacy upstreams need it, so it is read when one is called. */
  get recipient(): QuestionRecipient | undefined {
    if (this.#recipient === undefined)
      this.#recipient = (this.era === "modern" && this.context.heldCalls.recipientOf(this.request)) || null;
    return this.#recipient ?? undefined;
  }

  get inputMembers(): string | undefined {
    return this.#rounds?.members;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Its begin mark could not be written. */
  neverBegan(): void {
    this.#close();
    this.#uncount();
    this.#slots?.release();
  }

  send(): void {
    if (this.#ended) return;
    this.#forwardedAt ??= this.context.clock.monotonic();
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
    if (message.method === "notifications/cancelled") this.#held?.withdrawn(message);
    if (this.checks.message.length === 0) return this.#deliver(message);
    this.#messages ??= new CheckedMessages(this, (checked, edits) => this.#deliver(checked, edits));
    this.#messages.receive(message);
  }

  #deliver(message: UpstreamNotification, edits?: readonly Edit[]): void {
    if (!this.#ended && !this.#held?.isSuspended) this.#answerStream().notification(message, edits);
  }

  question(message: UpstreamRequest, from: UpstreamAddress): boolean {
    if (this.#ended) return false;
    return this.era === "legacy" ? this.#answerStream().question(message, from) : this.#hold(message, from);
  }

  /** Sends a message to a caller that accepts events. */
  sendEvent(event: Buffer): void {
    this.#answerStream().send(event);
  }

  waitForApproval(whenEnded: () => void): void {
    this.#slots?.pause();
    this.#whenEnded = whenEnded;
  }

  continueApproved(): string | undefined {
    const server = isStillValid(this) && currentServer(this.context.holder, this.request, this.to);
    if (!server) return NO_ACCESS;
    if (this.#slots?.resume() === false) return "Too many calls of your group or to this tool are in progress";
    this.to = { ...this.to, server };
    return undefined;
  }

  #hold(message: UpstreamRequest, from: UpstreamAddress): boolean {
    const { recipient } = this;
    if (!recipient || !canHold(this.to)) return false;
    const held = this.#held ?? this.context.heldCalls.hold(this, recipient);
    if (typeof held === "string") {
      this.refuse(held);
      return true;
    }
    this.#held = held;
    return held.ask(message, from);
  }

  refuse(error: string): void {
    this.#handle?.cancel();
    const { exchange, call } = this.request;
    const body = [errorBody(call.rawId, INTERNAL_ERROR, error, { requestId: exchange.requestId })];
    this.end({ outcome: "denied", body, error });
  }

  suspend(body: Buffer): void {
    this.#uncount();
    // A caller that reads slowly has paused the upstream until its stream drains, which has ended.
    this.#handle?.resume();
    this.#earlierBytes += (this.#stream?.bytes ?? 0) + body.length;
    this.#answer(200, [body]);
  }

  resume(request: McpRequest, userCalls: CallCount | undefined): void {
    const { at, startedAt, trace, exchange } = this.request;
    request.exchange.requestId = exchange.requestId;
    this.replaceRequest({ ...request, at, startedAt, trace });
    this.#userCalls = userCalls;
    this.#resumedAt = this.context.clock.monotonic();
    this.#stream = undefined;
    this.#watch(request.exchange);
    if (this.#memory) request.exchange.onOver(() => this.#releaseMemory());
    if (request.exchange.gone) this.abandon();
  }

  endSuspended(error: string): void {
    this.#endUnanswered({ outcome: "cancelled", body: [], error });
  }

  /** After the caller has provided input, which may have taken minutes. */
  sendAgain(): void {
    const server = currentServer(this.context.holder, this.request, this.to);
    if (!server) return this.refuse(NO_ACCESS);
    this.to = { ...this.to, server };
    this.send();
  }

  /** Requests input from a legacy caller, then calls the upstream again. False if the caller cannot be asked. */
  requestInput(message: UpstreamResult): boolean {
    this.#rounds ??= new InputRounds(this);
    return this.#rounds.start(message);
  }

  /** Proxies and clients close a connection without data, so a caller that accepts events gets comments. */
  waiting(now: number): void {
    const sentAt = this.#stream?.sentAt ?? this.#resumedAt ?? this.request.startedAt;
    const isSilent = now - sentAt >= KEEP_ALIVE_MS && !this.#held?.isSuspended;
    if (!this.#ended && isSilent) this.#answerStream().keepAlive();
  }

  deferred(retryMs: number): void {
    if (!this.#ended && !this.#held?.isSuspended) this.#answerStream().defer(retryMs);
  }

  response(message: UpstreamResult | UpstreamError): void {
    if (this.#ended || this.#held?.keepUntilContinued(() => this.response(message))) return;
    if (this.#messages?.isWaiting) this.#messages.afterAll(() => this.response(message));
    else checkResponse(this, message);
  }

  failed(failure: UpstreamFailure): void {
    if (this.#ended) return;
    const { kind, message } = failure;
    const ending = { outcome: OUTCOME_OF_FAILURE[kind], body: [failureBody(this, failure)], error: message };
    if (this.#held?.isSuspended) this.#endUnanswered(ending);
    else this.end(ending);
  }

  pauseUpstream(): void {
    this.#handle?.pause();
  }

  resumeUpstream(): void {
    this.#handle?.resume();
  }

  /** GW-13: the upstream need not continue. */
  abandon(): void {
    this.#endUnanswered({ outcome: "cancelled", body: [], error: CALLER_GONE });
  }

  #endUnanswered(ending: CallEnding): void {
    if (this.#ended) return;
    this.#close(ending.error);
    this.#handle?.cancel();
    this.capture([]);
    this.#record({ ...ending, body: [] }, () => {});
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
    this.capture(ending.body, ending.hidesRequest);
    this.#record(ending, () => {
      this.#answer(ending.status ?? 200, ending.body);
      this.#releaseMemory();
    });
  }

  #answer(status: number, body: readonly Buffer[]): void {
    if (this.#stream?.isOpen) this.#stream.end(Buffer.concat(body));
    else this.request.exchange.answer(status, JSON_HEADERS, body);
  }

  #answerStream(): AnswerStream {
    this.#stream ??= new AnswerStream(this.request, this.context, this.to.server.id, this);
    return this.#stream;
  }

  #watch(exchange: Exchange): void {
    exchange.onGone(() => {
      if (exchange === this.request.exchange && !this.#stream?.isResumable) this.abandon();
    });
  }

  #uncount(): void {
    this.#userCalls?.release();
    this.#userCalls = undefined;
  }

  /** A response for a caller that may resume is buffered elsewhere once it is complete. */
  #releaseMemory(): void {
    if (this.#ended && this.request.exchange.over) this.#memory?.release();
  }

  #close(reason?: string): void {
    this.#ended = true;
    this.#whenEnded?.();
    this.#releaseMemory();
    this.#held?.close(reason);
    this.#rounds?.close();
    const { session, call } = this.request;
    if (session) this.context.sessions.calls.delete(session, call.rawId, this);
  }

  #record({ outcome, body, error }: CallEnding, answer: () => void): void {
    this.#uncount();
    this.#slots?.release();
    const { method, serverSlug, tool } = this.to;
    let responseBytes = this.#earlierBytes + (this.#stream?.bytes ?? 0);
    for (const part of body) responseBytes += part.length;
    const ending = {
      outcome,
      responseBytes,
      serverSlug,
      tool,
      error,
      forwardedAt: this.#forwardedAt,
      guard: this.report,
    };
    endCall(this.request, this.context, method, ending, answer);
  }
}
