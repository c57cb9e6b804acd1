/**
 * One request to an upstream and its response. On the warm path nothing is awaited: the body is built and sent in the
 * caller's turn of the event loop. A request is sent twice only when the first attempt certainly did nothing (GW-14):
 * no connection, a lost session, or a refused version.
 */
import type { Clock } from "#lib/clock";
import { ByteSource } from "#lib/json/byte-source";
import { LARGE_TEXT_BYTES } from "#lib/json/scan-in-turns";
import type { Logger } from "#lib/logger";
import { UNSUPPORTED_PROTOCOL_VERSION } from "../../envelope/errors.ts";
import {
  readResponse,
  type UpstreamError,
  type UpstreamMessage,
  type UpstreamRequest,
  type UpstreamResult,
} from "../../envelope/read-response.ts";
import type { UpstreamCredential } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { ServerEntry, UpstreamEntry } from "../../snapshot/shape.ts";
import { faultOfError, faultOfStatus, healthSignalOf, UpstreamFault } from "../failure.ts";
import type { AdmittedCall, Bulkhead, HealthSignal } from "../limits/bulkhead.ts";
import type { Bulkheads } from "../limits/bulkheads.ts";
import { type ResponseLease, UNCOUNTED_BYTES } from "../limits/response-memory.ts";
import type { SessionOpener } from "../sessions/session-opener.ts";
import type { QuestionRecipient, Target, UpstreamSession } from "../sessions/upstream-session.ts";
import type { UpstreamSessions } from "../sessions/upstream-sessions.ts";
import { type ExchangeLimits, noMemory } from "../transport/exchange.ts";
import { cancellation } from "../transport/json-rpc.ts";
import type { InFlightRequest, TransportCall } from "../transport/transport.ts";
import { CallLane } from "./call-lane.ts";
import { CallQuestions } from "./call-questions.ts";
import { LargeMessage } from "./large-message.ts";
import type { RequestToUpstream, UpstreamCallHandle, UpstreamSink } from "./sink.ts";

export interface CallDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bulkheads: Bulkheads;
  readonly sessions: UpstreamSessions;
  readonly opener: SessionOpener;
  readonly nextId: () => number;
  /** Called once, when the call is over and its connection is free. */
  readonly released: (call: UpstreamCall) => void;
}

/** A server that can be called. */
export type CallableServer = ServerEntry & { readonly upstream: UpstreamEntry };

const RECONNECT_AFTER_MS = 100;
const DEFAULT_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
const MAX_RESUMPTIONS = 50;
/** How servers respond to messages of an era that they do not speak, unless they respond with JSON-RPC. */
const WRONG_ERA_STATUSES = new Set([400, 404, 405]);

/** Also the `Caller` that its session is for. */
export class UpstreamCall implements TransportCall, UpstreamCallHandle, AdmittedCall {
  readonly startedAt: number;
  /** Its index in `OpenCalls`. */
  place = -1;
  /** Undefined while the sink waits for the response. */
  doneAt: number | undefined;
  readonly bulkhead: Bulkhead;
  stage: AdmittedCall["stage"] = "outside";

  readonly userId: string;
  readonly credential: UpstreamCredential | undefined;
  readonly request: RequestToUpstream;
  readonly id: number;
  readonly rawId: string;
  readonly #dependencies: CallDependencies;
  readonly #server: CallableServer;
  readonly #sink: UpstreamSink;
  #session: UpstreamSession | undefined;
  #sent: InFlightRequest | undefined;
  #isSecondAttempt = false;
  #resumptions = 0;
  #questions: CallQuestions | undefined;
  #lane: CallLane | undefined;
  #reading: LargeMessage | undefined;

  constructor(
    dependencies: CallDependencies,
    server: CallableServer,
    userId: string,
    credential: UpstreamCredential | undefined,
    request: RequestToUpstream,
    sink: UpstreamSink,
  ) {
    this.#dependencies = dependencies;
    this.#server = server;
    this.bulkhead = dependencies.bulkheads.of(server);
    this.userId = userId;
    this.credential = credential;
    this.request = request;
    this.#sink = sink;
    this.id = dependencies.nextId();
    this.rawId = String(this.id);
    this.startedAt = dependencies.clock.monotonic();
  }

  get method(): string {
    return this.request.method;
  }

  get session(): McpSession | undefined {
    return this.request.session;
  }

  get recipient(): QuestionRecipient | undefined {
    return this.request.recipient;
  }

  get lane(): number | undefined {
    return this.#lane?.number;
  }

  takeLane(target: Target): void {
    if (this.recipient) this.#lane ??= new CallLane(target, this, this.recipient);
  }

  /** No other call uses its session from now on. */
  holdSession(): void {
    if (this.#session) this.takeLane(this.#session.target);
    this.#lane?.hold();
  }

  get serverId(): string {
    return this.#server.id;
  }

  get memory(): ResponseLease {
    return this.#sink.memory;
  }

  get limits(): ExchangeLimits {
    return this.bulkhead.exchangeLimits;
  }

  start(): void {
    const server = this.#server;
    const session = this.#dependencies.sessions.known(server, server.upstream, this, this.request.era);
    if (session) this.#send(session);
    else this.#open();
  }

  cancel(): void {
    this.stop(undefined);
  }

  /** Gives up on the call. With a fault, the sink receives a failure. */
  stop(fault: UpstreamFault | undefined): void {
    if (this.doneAt !== undefined) return;
    const connection = this.#session?.connection;
    if (connection?.cancelsByNotification && this.#sent?.started) void connection.notify(cancellation(this.id));
    this.#sent?.abort();
    this.#finish("none");
    if (fault) this.#report(this.#session ? fault : fault.of({ sent: false }));
  }

  /** Called about every second. */
  waiting(now: number): void {
    this.#sink.waiting?.(now);
  }

  /** Closes a stream that stays open after the response. */
  hangUp(): void {
    this.#sent?.abort();
  }

  closed(): void {
    if (this.doneAt !== undefined) this.#dependencies.released(this);
  }

  pause(): void {
    this.#sent?.pause();
  }

  resume(): void {
    this.#sent?.resume();
  }

  event(data: Buffer): void {
    if (this.#reading) this.#reading.afterwards(() => this.event(data));
    else if (data.length < LARGE_TEXT_BYTES) this.message(readResponse(data));
    else this.#readInTurns(data, (message) => this.message(message));
  }

  #readInTurns(body: Buffer | ByteSource, handle: (message: UpstreamMessage) => void): void {
    this.#reading = new LargeMessage(body, this.bulkhead.lane, this, (message) => {
      this.#reading = undefined;
      handle(message);
    });
  }

  message(message: UpstreamMessage): void {
    if (message.kind === "invalid") this.stop(notMcp());
    else if (message.kind === "request") {
      if (this.#session) this.#receivedQuestions().received(message, this.#session);
    } else if (message.kind === "notification") {
      const { progressToken, source } = message;
      if (progressToken === undefined || source.text(progressToken) === this.rawId) this.#sink.notification(message);
    }
    // A response with another id is not for this caller.
    else if (message.rawId === this.rawId) this.#respond(message);
  }

  answer(status: number, json: boolean, body: readonly Buffer[]): void {
    if (this.#reading) return this.#reading.afterwards(() => this.answer(status, json, body));
    if (status === 401 || status === 403) return this.#fail(faultOfStatus(status, this.#sent?.headers));
    if (!json) return this.#answered(status, undefined);
    const source = new ByteSource(body);
    if (source.length < LARGE_TEXT_BYTES) this.#answered(status, readResponse(source));
    else this.#readInTurns(source, (message) => this.#answered(status, message));
  }

  #answered(status: number, message: UpstreamMessage | undefined): void {
    const session = this.#session;
    const { sessions } = this.#dependencies;
    const isFirst = !this.#isSecondAttempt && this.#resumptions === 0;
    if (isFirst && session?.connection.sessionId !== undefined && isLostSession(status, message)) {
      sessions.lost(session);
      return this.#sendAgain();
    }
    if (message?.kind === "result" && message.rawId === this.rawId) return this.#respond(message);
    if (message?.kind === "error" && message.rawId === this.rawId) return this.#respondWithError(message);
    if (session && this.#resumptions === 0 && WRONG_ERA_STATUSES.has(status)) sessions.doubtful(session);
    this.#fail(status >= 200 && status < 300 ? notMcp() : faultOfStatus(status));
  }

  streamEnd(lastEventId: string | undefined, retryMs: number | undefined): void {
    if (this.#reading) return this.#reading.afterwards(() => this.streamEnd(lastEventId, retryMs));
    const connection = this.#session?.connection;
    if (!connection?.openStream || lastEventId === undefined || ++this.#resumptions > MAX_RESUMPTIONS) {
      return this.#fail(new UpstreamFault("bad-answer", "ended its response before the result"));
    }
    // 2025-11-25: a server may close the stream and let the client resume it; that does not repeat the call.
    const delay = Math.min(retryMs ?? DEFAULT_RETRY_MS, MAX_RETRY_MS);
    this.#dependencies.clock.after(delay, () => {
      if (this.doneAt !== undefined) return;
      try {
        this.#sent = connection.openStream?.(lastEventId, this.limits, this);
      } catch (error) {
        this.#fail(faultOfError(error));
      }
    });
    this.#sink.deferred?.(delay);
  }

  fault(fault: UpstreamFault): void {
    if (this.#reading) return this.#reading.afterwards(() => this.fault(fault));
    if (this.#resumptions > 0) return this.#fail(fault.of({ sent: true }));
    if (!fault.nothingSent || fault.kind !== "unreachable" || this.#isSecondAttempt) return this.#fail(fault);
    this.#dependencies.clock.after(RECONNECT_AFTER_MS, () => this.#sendAgain());
  }

  #open(): void {
    const server = this.#server;
    this.#dependencies.opener.open(server, server.upstream, this, this.request.era).then(
      (session) => this.doneAt === undefined && this.#send(session),
      // Whatever the handshake did, the request itself was not sent.
      (error: unknown) => this.#fail(faultOfError(error).of({ sent: false })),
    );
  }

  #send(session: UpstreamSession): void {
    const { connection, endpoint } = session;
    if (this.#session) this.#leave(this.#session);
    this.#session = session;
    session.inFlight++;
    session.stream?.add(this);
    // The session stays the same when the token was renewed.
    if (this.credential && endpoint !== session.target.endpoint) endpoint.extraHeaders = this.credential.headers;
    const body = this.request.buildBody(connection.era, this.id, this.id);
    try {
      this.#sent = connection.send(body, this);
    } catch (error) {
      this.#fail(faultOfError(error));
    }
  }

  #sendAgain(): void {
    if (this.doneAt !== undefined) return;
    this.#isSecondAttempt = true;
    this.start();
  }

  /** An error is a response, except the refusal of our era: nothing was executed, so the other era is tried. */
  #respondWithError(message: UpstreamError): void {
    const session = this.#session;
    if (message.code !== UNSUPPORTED_PROTOCOL_VERSION || this.#isSecondAttempt || !session)
      return this.#respond(message);
    this.#dependencies.sessions.contradicted(session);
    this.#sendAgain();
  }

  /** A request that is not on the response of this call. */
  question(message: UpstreamRequest): boolean {
    return this.#session !== undefined && this.#receivedQuestions().unassigned(message, this.#session);
  }

  #receivedQuestions(): CallQuestions {
    this.#questions ??= new CallQuestions(this, this.#sink);
    return this.#questions;
  }

  disableIdleTimeout(): void {
    this.#sent?.disableIdleTimeout();
  }

  #respond(message: UpstreamResult | UpstreamError): void {
    if (this.doneAt !== undefined) return;
    const { length } = message.source;
    // Transports that share one pipe cannot wait for memory without delaying other calls.
    if (length > UNCOUNTED_BYTES && !this.memory.grow(length)) return this.stop(noMemory());
    this.#sent?.ignore();
    this.#finish("up");
    this.#sink.response(message);
  }

  #fail(fault: UpstreamFault): void {
    if (this.doneAt !== undefined) return;
    this.#finish(healthSignalOf(fault));
    this.#report(fault);
  }

  #report(fault: UpstreamFault): void {
    const { slug } = this.#server;
    const failure = fault.describe(slug);
    this.#dependencies.logger.debug({ err: fault.cause, server: slug, kind: failure.kind }, "upstream call failed");
    this.#sink.failed(failure);
  }

  #leave(session: UpstreamSession): void {
    session.inFlight--;
    session.stream?.delete(this);
  }

  #finish(signal: HealthSignal): void {
    this.doneAt = this.#dependencies.clock.monotonic();
    if (this.#session) this.#leave(this.#session);
    this.#lane?.release();
    if (!this.#sent || this.#sent.ended) this.#dependencies.released(this);
    this.bulkhead.leave(this, signal);
  }
}

/**
 * The protocol specifies 404. Many servers copied 400 from the first examples of the SDK, some with our id; their
 * transport responds before the call is executed (GW-14).
 */
function isLostSession(status: number, message: UpstreamMessage | undefined): boolean {
  return status === 404 || (status === 400 && message?.kind === "error" && /\bsession\b/i.test(message.message));
}

function notMcp(): UpstreamFault {
  return new UpstreamFault("bad-answer", "sent a response that is not MCP");
}
