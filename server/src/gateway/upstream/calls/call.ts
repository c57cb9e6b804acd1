/**
 * One request on its way to an upstream and back. On the warm path nothing is awaited: the body is built and dispatched
 * in the caller's turn. A request leaves twice only when the first provably did nothing (GW-14): no connection, a lost
 * session, or a version refusal.
 */
import type { AnswerHeaders } from "#egress/egress";
import type { Clock } from "#lib/clock";
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
import { addressOf } from "../sessions/target.ts";
import type { Caller, UpstreamSession, UpstreamSessions } from "../sessions/upstream-sessions.ts";
import {
  answerTo,
  type ChannelHandler,
  type ChannelRequest,
  cancellation,
  MAX_ANSWERS_UNDER_WAY,
} from "../transport/channel.ts";
import { type Exchange, type ExchangeHandler, startExchange } from "../transport/exchange.ts";
import { modernRequestHeaders } from "../transport/headers.ts";
import { notify } from "../transport/notify.ts";
import type { RequestToUpstream, UpstreamCallHandle, UpstreamSink } from "./sink.ts";

export interface CallParts {
  readonly clock: Clock;
  readonly routes: UpstreamSessions;
  readonly nextId: () => number;
  readonly logger: Logger;
  /** Told once, when the call is over and its connection free. */
  readonly released: (call: UpstreamCall) => void;
}

const RECONNECT_AFTER_MS = 100;
const DEFAULT_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
const MAX_RESUMPTIONS = 50;
/** What servers say to messages of an era that they do not know, when they do not say it in JSON-RPC. */
const WRONG_ERA_STATUSES = new Set([400, 404, 405]);

export class UpstreamCall implements ExchangeHandler, ChannelHandler, UpstreamCallHandle, AdmittedCall, Caller {
  readonly startedAt: number;
  /** Where it stands among the open calls. */
  place = -1;
  /** Undefined while somebody waits for the answer. */
  doneAt: number | undefined;
  readonly bulkhead: Bulkhead;
  stage: AdmittedCall["stage"] = "outside";

  readonly #parts: CallParts;
  readonly #server: ServerEntry;
  readonly #entry: UpstreamEntry;
  readonly userId: string;
  readonly credential: UpstreamCredential | undefined;
  readonly #request: RequestToUpstream;
  readonly #sink: UpstreamSink;
  readonly #id: number;
  readonly rawId: string;
  #route: UpstreamSession | undefined;
  #exchange: Exchange | ChannelRequest | undefined;
  #sentAgain = false;
  #resumptions = 0;
  #telling = 0;

  constructor(
    parts: CallParts,
    server: ServerEntry,
    entry: UpstreamEntry,
    bulkhead: Bulkhead,
    userId: string,
    credential: UpstreamCredential | undefined,
    request: RequestToUpstream,
    sink: UpstreamSink,
  ) {
    this.#parts = parts;
    this.#server = server;
    this.#entry = entry;
    this.bulkhead = bulkhead;
    this.userId = userId;
    this.credential = credential;
    this.#request = request;
    this.#sink = sink;
    this.#id = parts.nextId();
    this.rawId = String(this.#id);
    this.startedAt = parts.clock.monotonic();
  }

  get method(): string {
    return this.#request.method;
  }

  get session(): McpSession | undefined {
    return this.#request.session;
  }

  get serverId(): string {
    return this.#server.id;
  }

  start(): void {
    const route = this.#parts.routes.known(this.#server, this.#entry, this, this.#request.era);
    if (route) this.#send(route);
    else this.#open();
  }

  cancel(): void {
    this.stop(undefined);
  }

  /** Gives the call up; with a fault, the sink is told. */
  stop(fault: UpstreamFault | undefined): void {
    if (this.doneAt !== undefined) return;
    // Legacy: a closed connection is no cancellation. Modern: it is, and over HTTP there is no such notification.
    if ((this.#route?.era === "legacy" || this.#route?.channel) && this.#exchange?.started)
      void notify(this.#route, cancellation(this.#id));
    this.#exchange?.abort();
    this.#finish("none");
    if (fault) this.#report(this.#route ? fault : fault.of({ sent: false }));
  }

  /** For a stream that stays open after it said all that was asked. */
  hangUp(): void {
    this.#exchange?.abort();
  }

  closed(): void {
    if (this.doneAt !== undefined) this.#parts.released(this);
  }

  pause(): void {
    this.#exchange?.pause();
  }

  resume(): void {
    this.#exchange?.resume();
  }

  event(data: Buffer): void {
    this.message(readResponse(data));
  }

  message(message: UpstreamMessage): void {
    if (message.kind === "invalid") this.stop(notMcp());
    else if (message.kind === "request") this.#asked(message);
    else if (message.kind === "notification") {
      const { progressToken, source } = message;
      if (progressToken === undefined || source.text(progressToken) === this.rawId) this.#sink.notification(message);
    }
    // A response to something else is not ours to give out.
    else if (message.rawId === this.rawId) this.#respond(message);
  }

  answer(status: number, json: boolean, body: readonly Buffer[]): void {
    const route = this.#route;
    if (status === 401 || status === 403) return this.#fail(faultOfStatus(status, this.#answerHeaders));
    const message = json ? readResponse(body) : undefined;
    const first = !this.#sentAgain && this.#resumptions === 0;
    if (first && route?.sessionId !== undefined && isLostSession(status, message)) {
      this.#parts.routes.lost(route);
      return this.#sendAgain();
    }
    if (message?.kind === "result" && message.rawId === this.rawId) return this.#respond(message);
    if (message?.kind === "error" && message.rawId === this.rawId) return this.#judge(message);
    if (route && this.#resumptions === 0 && WRONG_ERA_STATUSES.has(status)) this.#parts.routes.doubtful(route);
    this.#fail(status >= 200 && status < 300 ? notMcp() : faultOfStatus(status));
  }

  get #answerHeaders(): AnswerHeaders | undefined {
    return this.#exchange && "headers" in this.#exchange ? this.#exchange.headers : undefined;
  }

  streamEnd(lastEventId: string | undefined, retryMs: number | undefined): void {
    const route = this.#route;
    if (route?.era !== "legacy" || lastEventId === undefined || ++this.#resumptions > MAX_RESUMPTIONS) {
      return this.#fail(new UpstreamFault("bad-answer", "ended its answer before the result"));
    }
    // 2025-11-25: a server may close the stream and have us come back for the rest; that repeats no call.
    const delay = Math.min(retryMs ?? DEFAULT_RETRY_MS, MAX_RETRY_MS);
    this.#parts.clock.after(delay, () => {
      if (this.doneAt === undefined) this.#dispatch(route, "GET", ["last-event-id", lastEventId], null);
    });
    this.#sink.resting?.(delay);
  }

  fault(fault: UpstreamFault): void {
    if (this.#resumptions > 0) return this.#fail(fault.of({ sent: true }));
    if (!fault.nothingSent || fault.kind !== "unreachable" || this.#sentAgain) return this.#fail(fault);
    this.#parts.clock.after(RECONNECT_AFTER_MS, () => this.#sendAgain());
  }

  #open(): void {
    const { routes } = this.#parts;
    routes.open(this.#server, this.#entry, this, this.#request.era).then(
      (route) => this.doneAt === undefined && this.#send(route),
      // Whatever the handshake did, the request itself has not left.
      (error: unknown) => this.#fail(faultOfError(error).of({ sent: false })),
    );
  }

  #send(route: UpstreamSession): void {
    const request = this.#request;
    if (this.#route) this.#leave(this.#route);
    this.#route = route;
    route.inFlight++;
    route.stream?.add(this);
    // The session stays when only the token is new.
    if (this.credential && route.endpoint !== route.target.endpoint)
      route.endpoint.extraHeaders = this.credential.headers;
    const body = request.buildBody(route.era, this.#id, this.#id);
    if (route.channel) {
      this.#exchange = route.channel.request(this.#id, body, this);
      return;
    }
    const { method, name, traceHeaders } = request;
    const ownHeaders = route.era === "modern" ? modernRequestHeaders(method, name, request.paramHeaders) : NO_HEADERS;
    this.#dispatch(route, "POST", traceHeaders ? [...ownHeaders, ...traceHeaders] : ownHeaders, body);
  }

  #dispatch(route: UpstreamSession, method: "POST" | "GET", ownHeaders: readonly string[], body: Buffer | null): void {
    const { wire, path } = route.target.endpoint;
    try {
      const own = this.credential ? [...ownHeaders, ...this.credential.headers] : ownHeaders;
      const message = { method, path, headers: route.headers, ownHeaders: own, body };
      this.#exchange = startExchange(wire(), message, this.bulkhead.exchangeLimits, this);
    } catch (error) {
      this.#fail(faultOfError(error));
    }
  }

  #sendAgain(): void {
    if (this.doneAt !== undefined) return;
    this.#sentAgain = true;
    this.start();
  }

  /** An error is an answer, but for the refusal of our era: that did nothing, so the other may be tried. */
  #judge(message: UpstreamError): void {
    if (message.code !== UNSUPPORTED_PROTOCOL_VERSION || this.#sentAgain || !this.#route) return this.#respond(message);
    this.#parts.routes.contradicted(this.#route);
    this.#sendAgain();
  }

  #asked(message: UpstreamRequest): void {
    const route = this.#route;
    if (route?.era !== "legacy" || (message.method !== "ping" && this.question(message))) return;
    if (this.#telling >= MAX_ANSWERS_UNDER_WAY) return;
    this.#telling++;
    void notify(route, answerTo(message)).then(() => this.#telling--);
  }

  /** While the caller is asked, only the total deadline counts: people take minutes. */
  question(message: UpstreamRequest): boolean {
    const route = this.#route;
    if (!route?.mcpSession || this.doneAt !== undefined) return false;
    if (!this.#sink.question(message, addressOf(route))) return false;
    this.disableIdleTimeout();
    this.bulkhead.rest(this);
    return true;
  }

  disableIdleTimeout(): void {
    this.#exchange?.disableIdleTimeout();
  }

  #respond(message: UpstreamResult | UpstreamError): void {
    if (this.doneAt !== undefined) return;
    this.#exchange?.ignore();
    this.#finish("up");
    this.#sink.response(message);
  }

  #fail(fault: UpstreamFault): void {
    if (this.doneAt !== undefined) return;
    this.#finish(healthSignalOf(fault));
    this.#report(fault);
  }

  #report(fault: UpstreamFault): void {
    const failure = fault.describe(this.#server.slug);
    const { slug } = this.#server;
    this.#parts.logger.debug({ err: fault.cause, server: slug, kind: failure.kind }, "upstream call failed");
    this.#sink.failed(failure);
  }

  #leave(route: UpstreamSession): void {
    route.inFlight--;
    route.stream?.delete(this);
  }

  #finish(signal: HealthSignal): void {
    this.doneAt = this.#parts.clock.monotonic();
    if (this.#route) this.#leave(this.#route);
    if (!this.#exchange || this.#exchange.ended) this.#parts.released(this);
    this.bulkhead.leave(this, signal);
  }
}

const NO_HEADERS: readonly string[] = [];

/**
 * The protocol says 404. Many servers copied 400 from the first examples of the SDK, some under our id; their transport says
 * so before anybody has seen the call (GW-14).
 */
function isLostSession(status: number, message: UpstreamMessage | undefined): boolean {
  return status === 404 || (status === 400 && message?.kind === "error" && /\bsession\b/i.test(message.message));
}

function notMcp(): UpstreamFault {
  return new UpstreamFault("bad-answer", "sent an answer that is not MCP");
}
