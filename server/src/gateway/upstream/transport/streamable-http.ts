/** The streamable HTTP transport: each message is an HTTP exchange. It carries both eras. */
import { readResponse, type UpstreamRequest } from "../../envelope/read-response.ts";
import type { SharedSession, UpstreamAddress } from "../../session-ports.ts";
import type { Era } from "../../snapshot/shape.ts";
import {
  type Capabilities,
  discoverModern,
  endLegacySession,
  MODERN_META,
  MODERN_VERSION,
  openLegacySession,
  requestOptions,
} from "../handshake/handshake.ts";
import { readListNotification } from "../listen/list-notification.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Exchange, type ExchangeHandler, type ExchangeLimits, startExchange, streamRefusal } from "./exchange.ts";
import { legacyHeaders, modernHeaders, modernRequestHeaders } from "./headers.ts";
import { jsonRpc, MAX_PENDING_REPLIES, replyTo } from "./json-rpc.ts";
import { type Reply, sendRequest } from "./request.ts";
import { SharedSubscriptions } from "./shared-subscriptions.ts";
import type {
  ModernTransport,
  NotificationListener,
  OpenOptions,
  RequestLimits,
  Transport,
  TransportCall,
  UpstreamConnection,
} from "./transport.ts";

const ACCEPTANCE_BYTES = 64 * 1024;
/** Streams of notifications are mostly silent; one that broke unnoticed is opened again after this time. */
const LISTEN_LIMITS: ExchangeLimits = { idleMs: 60 * 60 * 1000, maxBytes: 1024 * 1024 };
const NO_HEADERS: readonly string[] = [];

export class StreamableHttp implements Transport {
  readonly label = "streamable HTTP";
  readonly isSharedByCallers = false;
  readonly isConnectionBound = false;
  readonly sessionIdleMs = 30 * 60 * 1000;
  readonly modern: ModernTransport = {
    discover: discoverModern,
    connect: (endpoint) => new ModernConnection(this, endpoint),
  };

  async open(endpoint: Endpoint, { clientCapabilities }: OpenOptions): Promise<UpstreamConnection | undefined> {
    const opened = await openLegacySession(endpoint, clientCapabilities);
    if (!opened) return undefined;
    const supportsLogging = opened.capabilities?.logging !== undefined;
    return new LegacyConnection(this, endpoint, { ...opened, supportsLogging });
  }

  resume(endpoint: Endpoint, { version, sessionId, logs }: Omit<SharedSession, "id">): UpstreamConnection {
    const session = { version, sessionId, supportsLogging: logs, capabilities: undefined };
    return new LegacyConnection(this, endpoint, session);
  }

  post(endpoint: Endpoint, address: UpstreamAddress, body: Buffer): Promise<void> {
    return postToAddress(endpoint, address, body);
  }
}

/** Shared with HTTP+SSE, whose address has a path. */
export function postToAddress(endpoint: Endpoint, address: UpstreamAddress, body: Buffer): Promise<void> {
  const headers = legacyHeaders(address.version, address.sessionId);
  return post(endpoint, address.path ?? endpoint.path, headers, body);
}

async function post(endpoint: Endpoint, path: string, headers: readonly string[], body: Buffer): Promise<void> {
  try {
    const message = { method: "POST", path, headers, ownHeaders: endpoint.extraHeaders, body } as const;
    await sendRequest(endpoint.wire(), message, requestOptions(endpoint, undefined, ACCEPTANCE_BYTES));
  } catch {
    // The upstream is unreachable, or the gateway is shutting down.
  }
}

abstract class HttpConnection {
  readonly transport: Transport;
  readonly isOpen = true;
  readonly hasListeners = false;
  readonly postPath = undefined;
  abstract readonly era: Era;
  protected readonly endpoint: Endpoint;
  protected readonly headers: readonly string[];
  #subscriptions: SharedSubscriptions | undefined;

  constructor(transport: Transport, endpoint: Endpoint, headers: readonly string[]) {
    this.transport = transport;
    this.endpoint = endpoint;
    this.headers = headers;
  }

  get subscriptions(): SharedSubscriptions {
    this.#subscriptions ??= new SharedSubscriptions();
    return this.#subscriptions;
  }

  nextId(): number {
    return this.endpoint.nextId();
  }

  /** Messages between calls arrive on a separate stream, which the session opens when it needs it. */
  assign(): void {}

  notify(body: Buffer): Promise<void> {
    return post(this.endpoint, this.endpoint.path, this.headers, body);
  }

  protected sendCall(ownHeaders: readonly string[], body: Buffer, call: TransportCall): Exchange {
    const { traceHeaders } = call.request;
    const { wire, path, extraHeaders } = this.endpoint;
    // A modern connection serves all callers, so a user's credential comes with the call.
    const credentialHeaders = call.credential?.headers ?? extraHeaders;
    const traced = traceHeaders ? [...ownHeaders, ...traceHeaders] : ownHeaders;
    const all = credentialHeaders.length > 0 ? [...traced, ...credentialHeaders] : traced;
    const message = { method: "POST", path, headers: this.headers, ownHeaders: all, body } as const;
    return startExchange(wire(), message, call.limits, call);
  }

  protected sendOwn(
    method: string,
    params: Readonly<Record<string, unknown>>,
    ownHeaders: readonly string[],
    limits: RequestLimits,
  ): Promise<Reply> {
    const { endpoint, headers } = this;
    const id = endpoint.nextId();
    const body = jsonRpc({ id, method, params });
    const message = { method: "POST", path: endpoint.path, headers, ownHeaders, body } as const;
    return sendRequest(endpoint.wire(), message, { ...requestOptions(endpoint, id), ...limits });
  }
}

/** Requests are complete in themselves: there is no session and nothing to end. */
class ModernConnection extends HttpConnection implements UpstreamConnection {
  readonly era = "modern";
  readonly capabilities = undefined;
  readonly hadHandshake = false;
  readonly supportsLogging = false;
  readonly canListen = true;
  readonly cancelsByNotification = false;
  readonly version = undefined;
  readonly sessionId = undefined;

  constructor(transport: Transport, endpoint: Endpoint) {
    super(transport, endpoint, modernHeaders(MODERN_VERSION));
  }

  send(body: Buffer, call: TransportCall): Exchange {
    const { method, name, paramHeaders } = call.request;
    return this.sendCall(modernRequestHeaders(method, name, paramHeaders), body, call);
  }

  request(method: string, params: Readonly<Record<string, unknown>>, limits: RequestLimits = {}): Promise<Reply> {
    const ownHeaders = [...modernRequestHeaders(method, undefined, []), ...this.endpoint.extraHeaders];
    return this.sendOwn(method, { _meta: MODERN_META, ...params }, ownHeaders, limits);
  }

  /** Notifications arrive only in response to `subscriptions/listen`. */
  listen(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}
}

interface LegacySession {
  readonly version: string;
  readonly sessionId: string | undefined;
  readonly capabilities: Capabilities;
  readonly instructions?: string | undefined;
  readonly supportsLogging: boolean;
}

class LegacyConnection extends HttpConnection implements UpstreamConnection {
  readonly era = "legacy";
  readonly hadHandshake = true;
  readonly cancelsByNotification = true;
  readonly version: string;
  readonly sessionId: string | undefined;
  readonly capabilities: Capabilities;
  readonly instructions: string | undefined;
  readonly supportsLogging: boolean;

  constructor(transport: Transport, endpoint: Endpoint, session: LegacySession) {
    super(transport, endpoint, legacyHeaders(session.version, session.sessionId));
    this.version = session.version;
    this.sessionId = session.sessionId;
    this.capabilities = session.capabilities;
    this.instructions = session.instructions;
    this.supportsLogging = session.supportsLogging;
  }

  get canListen(): boolean {
    return this.sessionId !== undefined;
  }

  send(body: Buffer, call: TransportCall): Exchange {
    return this.sendCall(NO_HEADERS, body, call);
  }

  request(method: string, params: Readonly<Record<string, unknown>>, limits: RequestLimits = {}): Promise<Reply> {
    return this.sendOwn(method, params, this.endpoint.extraHeaders, limits);
  }

  openStream(lastEventId: string | undefined, limits: ExchangeLimits, handler: ExchangeHandler): Exchange {
    const { endpoint, headers } = this;
    const resumed = lastEventId === undefined ? NO_HEADERS : ["last-event-id", lastEventId];
    const ownHeaders = [...endpoint.extraHeaders, ...resumed];
    const message = { method: "GET", path: endpoint.path, headers, ownHeaders, body: null } as const;
    return startExchange(endpoint.wire(), message, limits, handler);
  }

  listen(listener: NotificationListener): () => void {
    const exchange = this.openStream(undefined, LISTEN_LIMITS, new NotificationStream(this, listener));
    return () => exchange.abort();
  }

  async close(): Promise<void> {
    const { endpoint, headers } = this;
    if (this.sessionId !== undefined) await endLegacySession(endpoint, [...headers, ...endpoint.extraHeaders]);
  }
}

/** The stream of server messages of a session that exists only to listen. */
class NotificationStream implements ExchangeHandler {
  readonly #connection: LegacyConnection;
  readonly #listener: NotificationListener;
  #pendingReplies = 0;

  constructor(connection: LegacyConnection, listener: NotificationListener) {
    this.#connection = connection;
    this.#listener = listener;
  }

  event(data: Buffer): void {
    const message = readResponse(data);
    if (message.kind === "request") this.#reply(message);
    const notification = message.kind === "notification" ? readListNotification(message) : undefined;
    if (notification) this.#listener.received(notification);
  }

  /** Any response but a stream means that there is none. */
  answer(status: number): void {
    this.#listener.ended(streamRefusal(status));
  }

  streamEnd(): void {
    this.#listener.ended("broken");
  }

  fault(): void {
    this.#listener.ended("broken");
  }

  #reply(request: UpstreamRequest): void {
    if (this.#pendingReplies >= MAX_PENDING_REPLIES) return;
    this.#pendingReplies++;
    void this.#connection.notify(replyTo(request)).then(() => this.#pendingReplies--);
  }
}
