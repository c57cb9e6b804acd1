/**
 * What a transport must provide. Calls, lists, listeners and the session pool use only these interfaces;
 * `transports.ts` is the table of the implementations. See docs/guide/extending.md, "Add a transport".
 */
import type { AnswerHeaders } from "#egress/egress";
import type { Logger } from "#lib/logger";
import type { ClientCapabilities } from "../../envelope/client-capabilities.ts";
import type { UpstreamMessage, UpstreamNotification, UpstreamRequest } from "../../envelope/read-response.ts";
import type { UpstreamCredential } from "../../ports.ts";
import type { SharedSession, UpstreamAddress } from "../../session-ports.ts";
import type { Era } from "../../snapshot/shape.ts";
import type { Capabilities, Discovery } from "../handshake/handshake.ts";
import type { ListNotification } from "../listen/list-notification.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ExchangeHandler, ExchangeLimits } from "./exchange.ts";
import type { Reply } from "./request.ts";
import type { SharedSubscriptions } from "./shared-subscriptions.ts";

/** One way to reach an upstream. It holds no session state: that belongs to its connections. */
export interface Transport {
  /** The name in error messages. */
  readonly label: string;
  /** True if one connection serves all callers. False if each caller has a separate session. */
  readonly isSharedByCallers: boolean;
  /** True if a session keeps a stream open as long as it lives, and no other process can resume it. */
  readonly isConnectionBound: boolean;
  /** How long a session may be unused before it is closed. */
  readonly sessionIdleMs: number;
  /** Set when the transport also carries the modern era, whose requests need no session. */
  readonly modern?: ModernTransport;
  /**
   * Performs the handshake. Resolves to undefined when the upstream does not speak this transport at its URL. Rejects
   * with UpstreamFault.
   */
  open(endpoint: Endpoint, options: OpenOptions): Promise<UpstreamConnection | undefined>;
  /** Continues a session that another process opened; absent when `isConnectionBound`. */
  resume?(endpoint: Endpoint, session: Omit<SharedSession, "id">): UpstreamConnection;
  /** Posts a message into a session that any process may have opened. Never rejects. */
  post?(endpoint: Endpoint, address: UpstreamAddress, body: Buffer): Promise<void>;
}

export interface ModernTransport {
  /** Rejects with UpstreamFault when the response does not concern eras, as a 401 does. */
  discover(endpoint: Endpoint): Promise<Discovery>;
  /** Sends nothing. */
  connect(endpoint: Endpoint): UpstreamConnection;
}

export interface OpenOptions {
  readonly limits: ExchangeLimits;
  readonly logger: Logger;
  /** The capabilities of the caller; default none, so the upstream sends no requests. */
  readonly clientCapabilities?: ClientCapabilities | undefined;
}

/** An open session with an upstream, or the sessionless equivalent in the modern era. */
export interface UpstreamConnection {
  readonly transport: Transport;
  readonly era: Era;
  readonly isOpen: boolean;
  /** Whether a listener is registered. */
  readonly hasListeners: boolean;
  /** What the upstream declared in the handshake; undefined when it declared nothing or there was no handshake. */
  readonly capabilities: Capabilities;
  /** The text for models that the upstream sent in the handshake. */
  readonly instructions?: string | undefined;
  readonly hadHandshake: boolean;
  readonly supportsLogging: boolean;
  /** Whether `listen` can receive anything. */
  readonly canListen: boolean;
  /** True if a request is canceled by a notification. False if closing its exchange cancels it. */
  readonly cancelsByNotification: boolean;
  /** Where other processes find the session; each undefined when the transport does not use it. */
  readonly version: string | undefined;
  readonly sessionId: string | undefined;
  readonly postPath: string | undefined;
  /** The resource subscriptions of listeners that share this connection. */
  readonly subscriptions: SharedSubscriptions;

  /** Sends a call. On the hot path: nothing is awaited, and `call` may receive a fault before this returns. */
  send(body: Buffer, call: TransportCall): InFlightRequest;
  /** Sends a request of the gateway itself and waits for its response. Rejects with UpstreamFault. */
  request(method: string, params: Readonly<Record<string, unknown>>, options?: RequestLimits): Promise<Reply>;
  /** Sends a message that has no response. Never rejects: delivery changes nothing for the caller. */
  notify(body: Buffer): Promise<void>;
  /** Delivers list and resource notifications until the returned function is called. */
  listen(listener: NotificationListener): () => void;
  /** Opens the stream of server messages, or resumes the stream of a response; absent when messages share one stream. */
  openStream?(lastEventId: string | undefined, limits: ExchangeLimits, handler: ExchangeHandler): InFlightRequest;
  /** Returns the JSON-RPC id of the next request of the gateway itself. */
  nextId(): number;
  /** Assigns the connection to a session of the pool, before its first call. */
  assign(session: ConnectionOwner): void;
  /** Ends the session. Never rejects. */
  close(): Promise<void>;
}

/** The session that a connection belongs to. */
export interface ConnectionOwner {
  /** True if all calls come from one client, so messages that name no request belong to that client. */
  readonly hasOneClient: boolean;
  /** Whether calls may receive requests of the upstream. */
  readonly acceptsQuestions: boolean;
  readonly unclaimed: UnclaimedMessages;
  /** Called once, when the connection is lost. */
  onEnd(): void;
}

/** Receives the messages of a session that none of its calls claims. */
export interface UnclaimedMessages {
  /** False if no client received the request. */
  question(message: UpstreamRequest): boolean;
  notification(message: UpstreamNotification): void;
}

export interface NotificationListener {
  received(notification: ListNotification): void;
  /** The stream broke and is open again. */
  reopened?(): void;
  /** `never`: the upstream sends no notifications. */
  ended(why: "never" | "broken"): void;
}

export interface RequestLimits {
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
}

/** The part of a request that a transport may repeat in headers. */
export interface OutgoingRequest {
  readonly method: string;
  /** `params.name` or `params.uri` as the upstream knows it; sent as `Mcp-Name`. */
  readonly name: string | undefined;
  /** The caller's `Mcp-Param-*` headers as a flat list of names and values. */
  readonly paramHeaders: readonly string[];
  /** Trace context headers as a flat list of names and values. */
  readonly traceHeaders?: readonly string[] | undefined;
}

/**
 * A call as its transport sees it: what to send, and where the response goes. One object for both, so that sending
 * allocates nothing. A transport that parses messages itself uses `message`; one that exchanges HTTP responses uses the
 * methods of `ExchangeHandler`.
 */
export interface TransportCall extends ExchangeHandler {
  readonly id: number;
  readonly request: OutgoingRequest;
  readonly credential: UpstreamCredential | undefined;
  readonly limits: ExchangeLimits;
  /** True if the response is a stream that stays open, so the idle timeout of calls does not apply. */
  readonly isLongLived?: boolean;
  /** Notifications and requests of the upstream, then one result or error. */
  message(message: UpstreamMessage): void;
  /** True if the caller received the request. */
  question?(message: UpstreamRequest): boolean;
}

/** A request that was sent. */
export interface InFlightRequest {
  /** True when the request began to leave: the upstream may have executed it. */
  readonly started: boolean;
  /** True when nothing more happens: its connection is free or closed. */
  readonly ended: boolean;
  readonly headers: AnswerHeaders;
  /** Discards the rest of the response. */
  ignore(): void;
  abort(): void;
  pause(): void;
  resume(): void;
  /** For a caller that waits for a person: only the total deadline applies. */
  disableIdleTimeout(): void;
}
