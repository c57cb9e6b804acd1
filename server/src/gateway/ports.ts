/** Everything that a request at the gateway can wait for or write to. Reading this file is reading its whole appetite. */
import type { EndedCall, StartedCall } from "./call-log/record.ts";
import type { PayloadCapture } from "./snapshot/limits.ts";
import type { ServerEntry, Snapshot } from "./snapshot/shape.ts";
import type { TraceContext } from "./tracing/trace-context.ts";

/** The current world; never waits. */
export interface SnapshotSource {
  current(): Snapshot;
}

/** Turns a presented secret into its verifier under the pepper of that version; never waits. */
export interface SecretVerifier {
  verifier(secret: string, pepperVersion: number): Uint8Array | undefined;
}

/**
 * For a key or a secret that the snapshot does not know though the checksum is right: another replica may have just
 * made or rotated it. Resolves once the snapshot is as new as the database, or at once when this very pair was looked up
 * in vain before.
 */
export interface CredentialRefresh {
  refresh(accessKey: string, secret: string): Promise<void>;
}

/**
 * Waits until servers that were never synced have their tools, at most `timeoutMs`. Those that ask for a credential are
 * read with this user's, if there is one.
 */
export interface FirstSync {
  wait(servers: readonly ServerEntry[], timeoutMs: number, userId: string): Promise<void>;
}

/** For a server that said that its lists have changed. */
export interface ListSync {
  /** Reads it once more, with this user's credential where it asks for one, never sharing a reading that began before. Resolves when that is waitUntilPublished, or came to nothing. */
  again(serverId: string, userId: string | undefined): Promise<unknown>;
}

/** What an upstream showed about the eras it speaks, for the record and for the next snapshot. */
export interface EraObserver {
  observed(server: ServerEntry, eras: readonly ("modern" | "legacy")[]): void;
}

/** Seals and opens the ids of mcp sessions or of questions under a key that every replica has; never waits. */
export interface SessionSeal {
  /** Visible ASCII. */
  seal(text: string): string;
  /** Undefined for what was not sealed here. */
  open(sealed: string): string | undefined;
}

/** Tells all processes of an mcp session. Resolves when it is stored, rejects while the database is away. */
export interface SessionRecords extends SubscriptionRecords, PassedMessageRecords {
  ended(sessionId: string): Promise<void>;
  setLogLevel(sessionId: string, level: string, at: number): Promise<void>;
}

/** Where in an upstream a message belongs. */
export interface UpstreamAddress {
  readonly url: string;
  /** Where the HTTP+SSE transport has messages posted; undefined: at the address itself. */
  readonly path: string | undefined;
  /** The legacy version that was settled with the upstream, and its session's id where it gave one. */
  readonly version: string | undefined;
  readonly sessionId: string | undefined;
}

/** What an upstream said in a session, heard by a process that has nobody to tell it to. */
export interface PassedMessage {
  readonly userId: string;
  readonly serverId: string;
  readonly from: UpstreamAddress;
  /** JSON-RPC. */
  readonly text: string;
}

/**
 * Who is to take it: whoever can ask the caller, has the session's stream, waits for that call by our id of it, or, where
 * the caller wants it no more, by the caller's.
 */
export type PassedTo =
  | { readonly kind: "question" | "stream" }
  | { readonly kind: "call" | "cancel"; readonly callId: string };

/** Messages on their way from one process to another. All reject while the database is away. */
export interface PassedMessageRecords {
  /** Tells all processes; answers an id for `takeBack`. */
  pass(sessionId: string, to: PassedTo, messages: readonly PassedMessage[]): Promise<string>;
  /** Those of the sessions for which there is something to take. */
  waiting(sessionIds: readonly string[]): Promise<string[]>;
  /** What this process can take; nobody else gets it. */
  take(
    sessionId: string,
    taker: { readonly canAsk: boolean; readonly hasStream: boolean; readonly callIds: readonly string[] },
  ): Promise<PassedMessage[]>;
  /** Of these calls, by the caller's ids, those that the caller has cancelled at another process. */
  takeCancelled(sessionId: string, rawIds: readonly string[]): Promise<string[]>;
  /** True: nobody took it, and nobody will. */
  takeBack(id: string): Promise<boolean>;
  /** Tells all processes that there is news of the session. */
  announce(sessionId: string): Promise<void>;
}

/** Other processes that serve the same organization. */
export interface Replicas {
  /** As far as is known; never waits. */
  others(): boolean;
  /** Whether that one is there, as far as is known. */
  has(id: string): boolean;
  /** As the database has it now. */
  look(): Promise<boolean>;
}

/** A resource that a session is subscribed to. */
export interface SubscribedResource {
  readonly serverId: string;
  /** The server's address of it, and the caller's. */
  readonly uri: string;
  readonly asked: string;
}

export interface StoredSubscription extends SubscribedResource {
  /** The other process whose it is; undefined: it is this one's, or nobody's. */
  readonly heldBy: string | undefined;
  /** What the one that had it before has said of it. */
  readonly handedOver: "quiet" | "missed" | undefined;
}

/** What sessions are subscribed to, for the process that holds their stream. All reject while the database is away. */
export interface SubscriptionRecords {
  subscribed(sessionId: string, to: SubscribedResource): Promise<void>;
  unsubscribed(sessionId: string, from: Omit<SubscribedResource, "asked">): Promise<void>;
  subscriptionsOf(sessionId: string): Promise<StoredSubscription[]>;
  /** From now on it is this process's, and the one that had it is asked to hand it over. */
  tookOver(sessionId: string, resource: Omit<SubscribedResource, "asked">): Promise<void>;
  /** `missed`: the caller may not have heard of a change. */
  handedOver(sessionId: string, resource: Omit<SubscribedResource, "asked">, word: "quiet" | "missed"): Promise<void>;
  /** Of these sessions: they are in use. */
  touchSubscriptions(sessionIds: readonly string[]): Promise<void>;
}

/** Where an upstream session belongs: to one mcp session at one address, under one grant. */
export interface SharedPlace {
  readonly mcpSessionId: string;
  readonly userId: string;
  readonly serverId: string;
  readonly url: string;
  readonly grant: string;
}

export interface SharedSession {
  /** Of this opening: who finds it lost gives up this one, and none that came after it. */
  readonly id: string;
  readonly sessionId: string;
  readonly version: string;
  readonly logs: boolean;
}

/** Upstream sessions of mcp sessions, where every process finds them. Nothing rejects: without the database, nothing is found. */
export interface SharedSessions {
  find(place: SharedPlace): Promise<{ session: SharedSession | undefined; logLevel: string | undefined }>;
  /** What counts from now on: this one, or the one that another process shared before. */
  share(place: SharedPlace, opened: Omit<SharedSession, "id">): Promise<SharedSession | undefined>;
  /** Of which servers these mcp sessions have one. */
  serversOf(mcpSessionIds: readonly string[]): Promise<{ readonly mcpSessionId: string; readonly serverId: string }[]>;
  lost(id: string): Promise<void>;
  /** They are in use. */
  touch(ids: readonly string[]): Promise<void>;
  /** True: no process has used it for a while, and none will find it any more. */
  release(id: string): Promise<boolean>;
}

/** The call log: nothing is forwarded before its begin mark, and nothing answered before its record, is in the spool. */
export interface CallSink {
  begin(call: StartedCall, forward: () => void): void;
  end(call: EndedCall, answer: () => void): void;
}

/** Keeps what a call carried, for those who may look into it. Copies what it needs; never waits, and may drop it. */
export interface PayloadSink {
  keep(call: {
    readonly requestId: string;
    readonly at: number;
    readonly capture: PayloadCapture;
    readonly request: readonly Buffer[];
    readonly response: readonly Buffer[];
  }): void;
}

/** A span that is over, as OpenTelemetry means it. */
export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly state: string | undefined;
  readonly kind: "server" | "client";
  readonly name: string;
  /** Epoch milliseconds with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: readonly (readonly [key: string, value: string | number])[];
  /** In words; undefined: it went well. */
  readonly error: string | undefined;
}

/** Records spans of calls; never waits, and may drop them. */
export interface Tracer {
  /** The context of our own span under the caller's; where it is not recorded, the caller's itself. */
  begin(parent: TraceContext | undefined): { readonly context: TraceContext; readonly isRecorded: boolean };
  child(of: TraceContext): TraceContext;
  finished(span: FinishedSpan): void;
}

/** What a user shows to a server that asks for it. */
export interface UpstreamCredential {
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Stays as long as the user has not connected anew: an upstream session of one grant is never used under another. */
  readonly grant: string;
}

export type CredentialState = UpstreamCredential | "not_connected" | "reconnect_needed";

/** Users' own credentials towards upstreams. A promise means that the database, or whoever renews, must be asked. */
export interface UpstreamCredentials {
  of(server: ServerEntry, userId: string): CredentialState | Promise<CredentialState>;
  /**
   * The server answered 401. Resolves with another credential where there is one by now or it could be renewed; `again`:
   * that one was refused too.
   */
  refused(
    server: ServerEntry,
    userId: string,
    credential: UpstreamCredential,
    again: boolean,
  ): Promise<CredentialState>;
  /** The server answered 403 with this `WWW-Authenticate`: noted for the next time that the user connects. */
  lacksScope(server: ServerEntry, userId: string, challenge: string): Promise<void>;
  /** What the records say now; undefined: the user is not connected. */
  grantOf(userId: string, serverId: string): Promise<string | undefined>;
}
