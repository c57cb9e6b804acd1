import type { UpstreamNotification, UpstreamRequest } from "../../envelope/read-response.ts";
import type { UpstreamAddress, UpstreamCredential } from "../../ports.ts";
import type { McpSession } from "../../sessions/sessions.ts";
import type { Era, ServerEntry, UpstreamEntry } from "../../snapshot/shape.ts";
import { type Endpoint, MODERN_VERSION } from "../handshake/handshake.ts";
import { SpokenEras } from "../handshake/spoken-eras.ts";
import type { Channel, NotificationListener } from "../transport/channel.ts";
import { modernHeaders } from "../transport/headers.ts";

export interface UpstreamSession {
  readonly era: Era;
  readonly target: Target;
  readonly headers: readonly string[];
  /** The target's, or one of its own for a user with a credential. */
  readonly endpoint: Endpoint;
  /** Legacy only: whose session this is (`ownerOf`). */
  readonly owner: string;
  /** Legacy only: under whose connection it was opened; undefined: none was needed. */
  readonly granted: Granted | undefined;
  /** The caller's session that it belongs to; undefined: the user's, for all that comes without one. */
  readonly mcpSession: McpSession | undefined;
  /** Legacy only: the version that was settled, and the session's id where the upstream gave one. */
  readonly version: string | undefined;
  readonly sessionId: string | undefined;
  /** Where messages go over a shared pipe instead of one exchange each. */
  readonly channel: Channel | undefined;
  /** Whether the upstream offers to log. */
  readonly logs: boolean;
  /** Under which id other processes find it; undefined: it is this process's own. */
  sharedId: string | undefined;
  /** Where the upstream may ask what it ties to no call; only where the caller can be asked. */
  stream: SessionStream | undefined;
  usedAt: number;
  /** Calls under way: a session in use is not ended for being old. */
  inFlight: number;
}

export interface Granted {
  readonly userId: string;
  readonly grant: string;
}

/** What is known of one server's upstream. */
export class Target {
  readonly server: ServerEntry;
  entry: UpstreamEntry;
  readonly endpoint: Endpoint;
  spoken: SpokenEras;
  readonly modern: UpstreamSession;
  /** By `ownerOf`. */
  readonly sessions = new Map<string, UpstreamSession>();
  /** Whether its way is a channel; and since when, where that was found out. */
  overChannel: boolean;
  overChannelSince = 0;
  /** Whether it said nothing when a session's own stream was opened last. */
  opensStreamsSilently = false;
  /** To a local server: one route for all. */
  local: UpstreamSession | undefined;
  usedAt: number;

  constructor(server: ServerEntry, entry: UpstreamEntry, endpoint: Endpoint, now: number) {
    this.server = server;
    this.entry = entry;
    this.endpoint = endpoint;
    this.spoken = new SpokenEras(entry.eras, now);
    this.modern = newSession(this, endpoint, "modern", modernHeaders(MODERN_VERSION));
    this.overChannel = entry.transport === "sse";
    this.usedAt = now;
  }

  get key(): string {
    return `${this.server.id} ${this.entry.url}`;
  }

  foundOverChannel(now: number): void {
    if (!this.overChannel) this.overChannelSince = now;
    this.overChannel = true;
  }
}

/** Whom an upstream session is for. */
export interface Caller {
  readonly userId: string;
  /** The legacy session that the request came in. */
  readonly session: McpSession | undefined;
  /** The caller's own towards this server, where it asks for one. */
  readonly credential: UpstreamCredential | undefined;
}

/** Whose upstream session it is: an mcp session's, or a user's where there is none, under one grant. */
export function ownerOf({ userId, session, credential }: Caller): string {
  // Ids of sessions are random: none is a user's.
  const one = session?.id ?? userId;
  return credential ? `${one} ${credential.grant}` : one;
}

/** A call as the stream of its session sees it. */
export interface SessionCall {
  /** Our id of it, which is its progress token too. */
  readonly rawId: string;
  message(message: UpstreamNotification): void;
  question(message: UpstreamRequest): boolean;
  disableIdleTimeout(): void;
}

/** Who hears what an upstream says in a caller's session while none of its calls can take it. */
export interface MessageListener {
  /** Whether what is heard here is told also where another process has somebody to tell. */
  readonly reachesOthers: boolean;
  /** False: nobody can be asked. */
  question(heard: SessionMessage<UpstreamRequest>): boolean;
  notification(heard: SessionMessage<UpstreamNotification>): void;
}

export interface SessionMessage<Message = UpstreamRequest | UpstreamNotification> {
  readonly session: McpSession;
  readonly server: ServerEntry;
  readonly from: UpstreamAddress;
  readonly message: Message;
}

/** Where in the upstream what is said in this session belongs. */
export function addressOf({ target, channel, version, sessionId }: UpstreamSession): UpstreamAddress {
  return { url: target.entry.url, path: channel?.postPath, version, sessionId };
}

export interface SessionStream {
  readonly isElsewhere: boolean;
  readonly isOpen: boolean;
  /** Whether somebody listens though no call is under way. */
  readonly isHeard: boolean;
  /** Resources that the session is subscribed to. */
  readonly subscribed: Set<string>;
  /** Until what is given back is called. */
  listen(ear: NotificationListener): () => void;
  /** Those under way. */
  readonly calls: Iterable<SessionCall>;
  add(call: SessionCall): void;
  delete(call: SessionCall): void;
  /** False: none of the calls under way takes it. */
  take(message: UpstreamRequest | UpstreamNotification): boolean;
  /** Whoever has it may be gone. */
  retry(): void;
  close(): void;
}

export function newSession(
  target: Target,
  endpoint: Endpoint,
  era: Era,
  headers: readonly string[],
  own: Partial<
    Pick<UpstreamSession, "owner" | "granted" | "mcpSession" | "version" | "sessionId" | "channel" | "logs">
  > = {},
): UpstreamSession {
  return {
    era,
    target,
    endpoint,
    headers,
    owner: own.owner ?? "",
    granted: own.granted,
    mcpSession: own.mcpSession,
    version: own.version,
    sessionId: own.sessionId,
    channel: own.channel,
    logs: own.logs ?? false,
    sharedId: undefined,
    stream: undefined,
    usedAt: 0,
    inFlight: 0,
  };
}
