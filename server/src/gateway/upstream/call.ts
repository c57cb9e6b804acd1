/**
 * One request on its way to an upstream and back. On the warm path nothing is awaited: the body is built and dispatched
 * in the caller's turn. A request leaves twice only when the first provably did nothing (GW-14): no connection, a lost
 * session (404), or a version refusal.
 */
import type { AnswerHeaders } from "#egress/egress";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { UNSUPPORTED_PROTOCOL_VERSION } from "../envelope/errors.ts";
import {
  readResponse,
  type UpstreamError,
  type UpstreamMessage,
  type UpstreamNotification,
  type UpstreamResult,
} from "../envelope/read-response.ts";
import type { UpstreamCredential } from "../ports.ts";
import type { Era, ServerEntry, UpstreamEntry } from "../snapshot/shape.ts";
import { ask } from "./ask.ts";
import type { Bulkhead, GuardedCall, Sign } from "./bulkhead.ts";
import { answerTo, type ChannelHandler, type ChannelRequest, cancellation, MAX_ANSWERS_UNDER_WAY } from "./channel.ts";
import { faultOfError, faultOfStatus, signOf, type UpstreamFailure, UpstreamFault } from "./failure.ts";
import { HANDSHAKE_MS } from "./handshake.ts";
import { modernRequestHeaders } from "./headers.ts";
import { type AnswerHandler, type Exchange, postMessage } from "./post.ts";
import type { Route, Routes } from "./routes.ts";

export interface RequestToUpstream {
  readonly method: string;
  /** `params.name` or `params.uri` as the upstream knows it; goes out as `Mcp-Name`. */
  readonly name: string | undefined;
  /** The caller's era, which is used when the upstream speaks it. */
  readonly era: Era;
  /** The message for an upstream of that era, under our id and our progress token. Called once per sending. */
  readonly buildBody: (era: Era, id: number, progressToken: number) => Buffer;
  /** The caller's `Mcp-Param-*` headers: names and values in turn. */
  readonly paramHeaders: readonly string[];
  /** The caller's own towards this server, where it asks for one. */
  readonly credential?: UpstreamCredential;
}

/** Hears of one call: notifications, then exactly one `response` or `failed`, at once if need be. */
export interface UpstreamSink {
  notification(message: UpstreamNotification): void;
  /** The upstream has closed its stream and wants to be asked for the rest after that time. */
  resting?(retryMs: number): void;
  /** Under our id still; `answerParts` of the envelope puts the caller's in its place. */
  response(message: UpstreamResult | UpstreamError): void;
  failed(failure: UpstreamFailure): void;
}

export interface UpstreamCallHandle {
  /** Nobody waits any more. The sink hears nothing after it. */
  cancel(): void;
  /** Back-pressure from a slow caller. */
  pause(): void;
  resume(): void;
}

export interface CallParts {
  readonly clock: Clock;
  readonly routes: Routes;
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

export class UpstreamCall implements AnswerHandler, ChannelHandler, UpstreamCallHandle, GuardedCall {
  readonly startedAt: number;
  /** Where it stands among the open calls. */
  place = -1;
  /** Undefined while somebody waits for the answer. */
  doneAt: number | undefined;
  readonly bulkhead: Bulkhead;
  stage: GuardedCall["stage"] = "outside";

  readonly #parts: CallParts;
  readonly #server: ServerEntry;
  readonly #entry: UpstreamEntry;
  readonly #principalId: string;
  readonly #request: RequestToUpstream;
  readonly #sink: UpstreamSink;
  readonly #id: number;
  readonly #rawId: string;
  #route: Route | undefined;
  #exchange: Exchange | ChannelRequest | undefined;
  #sentAgain = false;
  #resumptions = 0;
  #telling = 0;

  constructor(
    parts: CallParts,
    server: ServerEntry,
    entry: UpstreamEntry,
    bulkhead: Bulkhead,
    principalId: string,
    request: RequestToUpstream,
    sink: UpstreamSink,
  ) {
    this.#parts = parts;
    this.#server = server;
    this.#entry = entry;
    this.bulkhead = bulkhead;
    this.#principalId = principalId;
    this.#request = request;
    this.#sink = sink;
    this.#id = parts.nextId();
    this.#rawId = String(this.#id);
    this.startedAt = parts.clock.monotonic();
  }

  start(): void {
    const { era, credential } = this.#request;
    const route = this.#parts.routes.known(this.#server, this.#entry, this.#principalId, era, credential);
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
      this.#tell(this.#route, cancellation(this.#id));
    this.#exchange?.abort();
    this.#finish("none");
    if (fault) this.#report(fault);
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
    else if (message.kind === "request") {
      if (this.#route?.era === "legacy" && this.#telling < MAX_ANSWERS_UNDER_WAY) {
        this.#tell(this.#route, answerTo(message));
      }
    } else if (message.kind === "notification") {
      const { progressToken, source } = message;
      if (progressToken === undefined || source.text(progressToken) === this.#rawId) this.#sink.notification(message);
    }
    // A response to something else is not ours to give out.
    else if (message.rawId === this.#rawId) this.#respond(message);
  }

  answer(status: number, json: boolean, body: readonly Buffer[]): void {
    const route = this.#route;
    const first = !this.#sentAgain && this.#resumptions === 0;
    if (status === 404 && route?.sessionId !== undefined && first) {
      this.#parts.routes.lost(route);
      return this.#sendAgain();
    }
    if (status === 401 || status === 403) return this.#fail(faultOfStatus(status, this.#answerHeaders));
    const message = json ? readResponse(body) : undefined;
    if (message?.kind === "result" && message.rawId === this.#rawId) return this.#respond(message);
    if (message?.kind === "error" && message.rawId === this.#rawId) return this.#judge(message);
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
    const { era, credential } = this.#request;
    this.#parts.routes.open(this.#server, this.#entry, this.#principalId, era, credential).then(
      (route) => this.doneAt === undefined && this.#send(route),
      // Whatever the handshake did, the request itself has not left.
      (error: unknown) => this.#fail(faultOfError(error).of({ sent: false })),
    );
  }

  #send(route: Route): void {
    const { method, name, paramHeaders, buildBody, credential } = this.#request;
    if (this.#route) this.#route.inFlight--;
    this.#route = route;
    route.inFlight++;
    // The session stays when only the token is new.
    if (credential && route.line !== route.target.line) route.line.extraHeaders = credential.headers;
    const body = buildBody(route.era, this.#id, this.#id);
    if (route.channel) {
      this.#exchange = route.channel.request(this.#id, body, this);
      return;
    }
    const ownHeaders = route.era === "modern" ? modernRequestHeaders(method, name, paramHeaders) : NO_HEADERS;
    this.#dispatch(route, "POST", ownHeaders, body);
  }

  #dispatch(route: Route, method: "POST" | "GET", ownHeaders: readonly string[], body: Buffer | null): void {
    const { wire, path } = route.target.line;
    try {
      const { credential } = this.#request;
      const own = credential ? [...ownHeaders, ...credential.headers] : ownHeaders;
      const message = { method, path, headers: route.headers, ownHeaders: own, body };
      this.#exchange = postMessage(wire(), message, this.bulkhead.exchangeLimits, this);
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

  /** A message that expects no response; whether it arrives changes nothing here. */
  #tell(route: Route, body: Buffer): void {
    if (route.channel) return void route.channel.tell(body);
    const { line } = route.target;
    const headers = [...route.headers, ...route.line.extraHeaders];
    const outgoing = { method: "POST", path: line.path, headers, body } as const;
    const { maxBytes } = this.bulkhead.exchangeLimits;
    const options = { clock: this.#parts.clock, id: undefined, deadlineMs: HANDSHAKE_MS, maxBytes };
    const told = () => void this.#telling--;
    try {
      ask(line.wire(), outgoing, options).then(told, told);
      this.#telling++;
    } catch {
      // No wire: the gateway is shutting down.
    }
  }

  #respond(message: UpstreamResult | UpstreamError): void {
    if (this.doneAt !== undefined) return;
    this.#exchange?.ignore();
    this.#finish("up");
    this.#sink.response(message);
  }

  #fail(fault: UpstreamFault): void {
    if (this.doneAt !== undefined) return;
    this.#finish(signOf(fault));
    this.#report(fault);
  }

  #report(fault: UpstreamFault): void {
    const failure = fault.describe(this.#server.slug);
    this.#parts.logger.debug(
      { err: fault.cause, server: this.#server.slug, kind: failure.kind },
      "upstream call failed",
    );
    this.#sink.failed(failure);
  }

  #finish(sign: Sign): void {
    this.doneAt = this.#parts.clock.monotonic();
    if (this.#route) this.#route.inFlight--;
    if (!this.#exchange || this.#exchange.ended) this.#parts.released(this);
    this.bulkhead.leave(this, sign);
  }
}

const NO_HEADERS: readonly string[] = [];

function notMcp(): UpstreamFault {
  return new UpstreamFault("bad-answer", "sent an answer that is not MCP");
}
