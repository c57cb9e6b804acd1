/** What processes share about MCP sessions, upstream sessions, and the messages between them. */

/** Seals and opens the ids of MCP sessions or upstream requests with a key that all replicas share; never waits. */
export interface SessionSeal {
  /** Visible ASCII. */
  seal(text: string): string;
  /** Undefined for text that was not sealed with the key. */
  open(sealed: string): string | undefined;
}

/**
 * Notifies all processes about an MCP session. Resolves when the change is stored; rejects while the database is
 * unavailable.
 */
export interface SessionRecords extends SubscriptionRecords, ReplicaMessageRecords, MailRecords {
  ended(sessionId: string): Promise<void>;
  setLogLevel(sessionId: string, level: string, at: number): Promise<void>;
}

/** The upstream endpoint and session that a message belongs to. */
export interface UpstreamAddress {
  readonly url: string;
  /** The path that the HTTP+SSE transport posts messages to; undefined for the URL itself. */
  readonly path: string | undefined;
  /** The legacy version negotiated with the upstream, and its session id if it sent one. */
  readonly version: string | undefined;
  readonly sessionId: string | undefined;
}

/** An upstream message in a session, received by a process that cannot deliver it to the caller. */
export interface ReplicaMessage {
  readonly userId: string;
  readonly serverId: string;
  readonly from: UpstreamAddress;
  /** JSON-RPC text. */
  readonly text: string;
}

/**
 * The process that should take the message: one that can send requests to the caller, that holds the session's stream,
 * that waits for the call with the gateway's id, or, for a cancellation, with the caller's id.
 */
export type ReplicaRecipient =
  | { readonly kind: "question" | "stream" }
  | { readonly kind: "call" | "cancel"; readonly callId: string };

/** Messages in transit between processes. All methods reject while the database is unavailable. */
export interface ReplicaMessageRecords {
  /** Notifies all processes; returns an id for `takeBack`. */
  pass(sessionId: string, to: ReplicaRecipient, messages: readonly ReplicaMessage[]): Promise<string>;
  /** Returns the sessions that have messages to take. */
  waiting(sessionIds: readonly string[]): Promise<string[]>;
  /** Takes the messages that this process can deliver; no other process receives them. */
  take(
    sessionId: string,
    taker: { readonly canAsk: boolean; readonly hasStream: boolean; readonly callIds: readonly string[] },
  ): Promise<ReplicaMessage[]>;
  /** Of these calls, by the caller's ids, returns the ones that the caller cancelled at another process. */
  takeCancelled(sessionId: string, rawIds: readonly string[]): Promise<string[]>;
  /** True if no process took it; none will afterwards. */
  takeBack(id: string): Promise<boolean>;
  /** Notifies all processes that a session has changed. */
  announce(sessionId: string): Promise<void>;
}

/** Texts for mailboxes that another process has opened. All methods reject while the database is unavailable. */
export interface MailRecords {
  /** Notifies all processes. */
  sendMail(mailbox: string, text: string): Promise<void>;
  /** Takes the texts for these mailboxes; no other process receives them. */
  takeMail(mailboxes: readonly string[]): Promise<{ readonly mailbox: string; readonly text: string }[]>;
  /** Deletes what is left of a mailbox that was closed. */
  dropMail(mailbox: string): Promise<void>;
}

/** Other processes that serve the same organization. */
export interface Replicas {
  /** Identifies this process. */
  readonly id: string;
  /** From local knowledge; never waits. */
  others(): boolean;
  /** Whether that process is running, from local knowledge. */
  has(id: string): boolean;
  /** Queries the database. */
  look(): Promise<boolean>;
}

/** A resource that a session is subscribed to. */
export interface SubscribedResource {
  readonly serverId: string;
  /** The server's URI of the resource, and the caller's. */
  readonly uri: string;
  readonly asked: string;
}

export interface StoredSubscription extends SubscribedResource {
  /** The other process that holds the subscription; undefined: this process or none. */
  readonly heldBy: string | undefined;
  /** The state reported by the process that held it before. */
  readonly handedOver: "quiet" | "missed" | undefined;
}

/**
 * Subscriptions of sessions, for the process that holds their stream. All methods reject while the database is
 * unavailable.
 */
export interface SubscriptionRecords {
  subscribed(sessionId: string, to: SubscribedResource): Promise<void>;
  unsubscribed(sessionId: string, from: Omit<SubscribedResource, "asked">): Promise<void>;
  subscriptionsOf(sessionId: string): Promise<StoredSubscription[]>;
  /** Assigns the subscription to this process and asks the previous holder to hand it over. */
  tookOver(sessionId: string, resource: Omit<SubscribedResource, "asked">): Promise<void>;
  /** `missed`: the caller may have missed a change. */
  handedOver(sessionId: string, resource: Omit<SubscribedResource, "asked">, word: "quiet" | "missed"): Promise<void>;
  /** Marks the subscriptions of these sessions as in use. */
  touchSubscriptions(sessionIds: readonly string[]): Promise<void>;
}

/** Identifies an upstream session: one MCP session at one URL, under one grant. */
export interface SharedPlace {
  readonly mcpSessionId: string;
  readonly userId: string;
  readonly serverId: string;
  readonly url: string;
  readonly grant: string;
}

export interface SharedSession {
  /** Identifies this upstream session, so that a process that finds it lost does not discard a newer one. */
  readonly id: string;
  readonly sessionId: string;
  readonly version: string;
  readonly logs: boolean;
}

/**
 * Upstream sessions of MCP sessions, shared between processes. Methods never reject: without the database, nothing is
 * found.
 */
export interface SharedSessions {
  find(place: SharedPlace): Promise<{ session: SharedSession | undefined; logLevel: string | undefined }>;
  /** Returns the session to use from now on: this one, or one that another process shared earlier. */
  share(place: SharedPlace, opened: Omit<SharedSession, "id">): Promise<SharedSession | undefined>;
  /** Returns the servers that these MCP sessions have an upstream session with. Undefined without the database. */
  serversOf(
    mcpSessionIds: readonly string[],
  ): Promise<{ readonly mcpSessionId: string; readonly serverId: string }[] | undefined>;
  lost(id: string): Promise<void>;
  /** Marks the sessions as in use. */
  touch(ids: readonly string[]): Promise<void>;
  /** True if no process has used it recently; afterwards no process can find it. */
  release(id: string): Promise<boolean>;
}
