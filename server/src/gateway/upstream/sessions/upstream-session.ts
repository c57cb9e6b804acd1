import type { ClientCapabilities } from "../../envelope/client-capabilities.ts";
import type { UpstreamNotification, UpstreamRequest } from "../../envelope/read-response.ts";
import type { UpstreamCredential } from "../../ports.ts";
import type { UpstreamAddress } from "../../session-ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { ServerEntry, UpstreamEntry } from "../../snapshot/shape.ts";
import { SpokenEras } from "../handshake/spoken-eras.ts";
import type { Endpoint } from "../transport/endpoint.ts";
import type { NotificationListener, Transport, UpstreamConnection } from "../transport/transport.ts";
import type { TransportList } from "../transport/transports.ts";
import { CallLanes } from "./call-lanes.ts";

/** An upstream session as the pool keeps it. In the modern era, one without a handshake serves all callers. */
export interface UpstreamSession {
  readonly target: Target;
  readonly connection: UpstreamConnection;
  /** The endpoint of the target, or a copy for a user with a credential. */
  readonly endpoint: Endpoint;
  /** Which caller it belongs to (`ownerOf`); empty when all callers share it. */
  readonly owner: string;
  /** The user's grant that it was opened with; undefined when the server needs no credential. */
  readonly granted: Granted | undefined;
  /** The caller's session that it belongs to; undefined if it serves the requests of a user without a session. */
  readonly mcpSession: McpSession | undefined;
  /** The modern callers that it belongs to: they accept requests of the upstream during their calls. */
  readonly recipient: QuestionRecipient | undefined;
  /** The id under which other processes find it; undefined if only this process uses it. */
  sharedId: string | undefined;
  /** The stream of messages that belong to no call; opened only when the caller can receive requests or listens. */
  stream: SessionStream | undefined;
  usedAt: number;
  /** Number of open calls. A session in use is never closed for its age. */
  inFlight: number;
}

export interface Granted {
  readonly userId: string;
  readonly grant: string;
}

/** After this time the first transport is tried again, since the upstream may support it by now. */
const TRANSPORT_RECHECK_MS = 24 * 60 * 60 * 1000;

/** What is known about the upstream of one server. */
export class Target {
  readonly server: ServerEntry;
  entry: UpstreamEntry;
  readonly endpoint: Endpoint;
  /** In the order in which they are tried. */
  readonly transports: TransportList;
  /** The one that works, or the first to try. */
  transport: Transport;
  #foundAt = 0;
  eras: SpokenEras;
  /** For requests that need no session. */
  readonly modern: UpstreamSession | undefined;
  /** By `ownerOf`. */
  readonly sessions = new Map<string, UpstreamSession>();
  /** Whether the last server stream sent no response headers until its first event. */
  opensStreamsSilently = false;
  /** Set once the upstream sent a request of which it is unknown which call caused it. See `CallLanes`. */
  asksOutsideCalls = false;
  readonly lanes = new CallLanes();
  /** The session of a transport that all callers share. */
  shared: UpstreamSession | undefined;
  usedAt: number;

  constructor(server: ServerEntry, entry: UpstreamEntry, endpoint: Endpoint, transports: TransportList, now: number) {
    this.server = server;
    this.entry = entry;
    this.endpoint = endpoint;
    this.transports = transports;
    this.transport = transports[0];
    this.eras = new SpokenEras(entry.eras, now);
    const modern = transports.find((transport) => transport.modern)?.modern;
    this.modern = modern && newSession(this, modern.connect(endpoint), { endpoint });
    this.usedAt = now;
  }

  get key(): string {
    return `${this.server.id} ${this.entry.url}`;
  }

  /** The transport that works, then those after it. */
  candidates(): readonly Transport[] {
    return this.transports.slice(this.transports.indexOf(this.transport));
  }

  found(transport: Transport, now: number): void {
    if (this.transport !== transport) this.#foundAt = now;
    this.transport = transport;
  }

  /** Returns to the first transport when the current one was found too long ago. */
  recheckTransport(now: number): void {
    if (now - this.#foundAt > TRANSPORT_RECHECK_MS) this.transport = this.transports[0];
  }
}

/** The caller that an upstream session is for. */
export interface Caller {
  readonly userId: string;
  /** The legacy session of the request. */
  readonly session: McpSession | undefined;
  /** Only if there is no session. */
  readonly recipient?: QuestionRecipient | undefined;
  /** Which of the concurrent calls of a recipient this is. */
  readonly lane?: number | undefined;
  /** Called before the session is chosen, if calls may need separate ones. */
  takeLane?(target: Target): void;
  /** The caller's credential for this server, if it needs one. */
  readonly credential: UpstreamCredential | undefined;
}

/** Modern callers that one upstream session can serve: the same user, client and capabilities. */
export interface QuestionRecipient {
  /** Differs for other clients of the user, and for other capabilities. */
  readonly key: string;
  readonly capabilities: ClientCapabilities;
}

/** The owner of an upstream session: an MCP session, or a user without one, under one grant. */
export function ownerOf({ userId, session, credential, recipient, lane }: Caller): string {
  // Session ids are random, so none equals a user id.
  const one = session?.id ?? (recipient ? `${userId} ${recipient.key} ${lane ?? 0}` : userId);
  return credential ? `${one} ${credential.grant}` : one;
}

/** A call as the server stream of its session sees it. */
export interface SessionCall {
  /** Our id of it, which is also its progress token. */
  readonly rawId: string;
  message(message: UpstreamNotification): void;
  question(message: UpstreamRequest): boolean;
  disableIdleTimeout(): void;
}

/** Receives the messages in callers' sessions that no call claims. */
export interface MessageListener {
  /** Whether messages are also delivered to callers that are connected to other processes. */
  readonly reachesOthers: boolean;
  /** False if no client can receive the request. */
  question(received: SessionMessage<UpstreamRequest>): boolean;
  notification(received: SessionMessage<UpstreamNotification>): void;
}

export interface SessionMessage<Message = UpstreamRequest | UpstreamNotification> {
  readonly session: McpSession;
  readonly server: ServerEntry;
  readonly from: UpstreamAddress;
  readonly message: Message;
}

/** Where a reply to a message of this session must be posted. */
export function addressOf({ target, connection }: UpstreamSession): UpstreamAddress {
  const { postPath: path, version, sessionId } = connection;
  return { url: target.entry.url, path, version, sessionId };
}

export interface SessionStream {
  /** Many servers allow one such stream per session: another process has it. */
  readonly isElsewhere: boolean;
  readonly isOpen: boolean;
  readonly hasListeners: boolean;
  /** The resources that the session is subscribed to. */
  readonly subscribed: Set<string>;
  /** Until the returned function is called. */
  listen(listener: NotificationListener): () => void;
  /** The open calls of the session. */
  readonly calls: Iterable<SessionCall>;
  add(call: SessionCall): void;
  delete(call: SessionCall): void;
  /** False if no open call takes the message. */
  take(message: UpstreamRequest | UpstreamNotification): boolean;
  /** Tries to open the stream again if another process had it. */
  retry(): void;
  close(): void;
}

export function newSession(
  target: Target,
  connection: UpstreamConnection,
  own: Pick<UpstreamSession, "endpoint"> &
    Partial<Pick<UpstreamSession, "owner" | "granted" | "mcpSession" | "recipient">>,
): UpstreamSession {
  return {
    target,
    connection,
    endpoint: own.endpoint,
    owner: own.owner ?? "",
    granted: own.granted,
    mcpSession: own.mcpSession,
    recipient: own.recipient,
    sharedId: undefined,
    stream: undefined,
    usedAt: 0,
    inFlight: 0,
  };
}

/** The requests that the upstream may send; none without capabilities. */
export function capabilitiesOf({
  mcpSession,
  recipient,
}: Pick<UpstreamSession, "mcpSession" | "recipient">): ClientCapabilities | undefined {
  return mcpSession?.capabilities ?? recipient?.capabilities;
}

export function isUnused({ inFlight, connection, stream }: UpstreamSession): boolean {
  return inFlight === 0 && !connection.hasListeners && !stream?.hasListeners;
}
