/** Everything that a gateway request can wait for or write to. */
import type { Refusal } from "#lib/errors";
import type { EndedCall, StartedCall } from "./call-log/record.ts";
import type { PayloadCapture } from "./snapshot/limits.ts";
import type { HoldingGuard, ServerEntry, Snapshot } from "./snapshot/shape.ts";
import type { TraceContext } from "./tracing/trace-context.ts";

/** The current snapshot; never waits. */
export interface SnapshotSource {
  current(): Snapshot;
}

/** Computes the verifier of a secret with the pepper of that version; never waits. */
export interface SecretVerifier {
  verifier(secret: string, pepperVersion: number): Uint8Array | undefined;
}

/**
 * For a key or secret that the snapshot does not contain although its checksum is valid: another replica may have just
 * created or rotated it. Resolves once the snapshot is as current as the database, or immediately if this pair was
 * already looked up without success. False: the lookup failed, so the key may be valid.
 */
export interface CredentialRefresh {
  refresh(accessKey: string, secret: string): Promise<boolean>;
}

/**
 * Waits at most `timeoutMs` until servers that were never synced have their tools. Servers that require a credential
 * are synced with this user's, if there is one.
 */
export interface FirstSync {
  wait(servers: readonly ServerEntry[], timeoutMs: number, userId: string): Promise<void>;
}

/** For a server that reported changed lists. */
export interface ListSync {
  /**
   * Syncs the server again, with this user's credential if it requires one, and never joins a sync that started
   * earlier. Resolves when the result is published or the sync has failed.
   */
  again(serverId: string, userId: string | undefined): Promise<unknown>;
}

/** The content of files by their SHA-256 in hexadecimal. Rejects while the database is unavailable. */
export interface FileContents {
  read(digest: string): Promise<Uint8Array | undefined>;
}

/** Plugins of users. All methods reject while the database is unavailable. */
export interface PluginSource {
  /** The marketplace with the plugins of the user, as JSON. */
  marketplace(userId: string): Promise<Buffer>;
  /** The repository of a plugin, or of the user's marketplace. Undefined: not for this user. */
  repository(userId: string, name: string): Promise<ServedRepository | undefined>;
}

/** The side of a git repository that clients fetch from: https://git-scm.com/docs/gitprotocol-http */
export interface ServedRepository {
  /** Of the newest commit. */
  readonly version: string;
  /** The response to `GET …/info/refs?service=git-upload-pack`. */
  advertisement(): Buffer;
  /** The response to `POST …/git-upload-pack`, whose body is not compressed. `readFile` reads a file by its digest. */
  upload(body: Buffer, readFile: (digest: string) => Promise<Buffer>): UploadedPack;
  /** A response that shows the reason to the user of git. */
  refusal(reason: string): Buffer;
}

export interface UploadedPack {
  /** False: the client only negotiates. */
  readonly hasPack: boolean;
  readonly parts: AsyncIterable<Buffer>;
}

/** Reports the eras that an upstream supports, for its record and the next snapshot. */
export interface EraObserver {
  observed(server: ServerEntry, eras: readonly ("modern" | "legacy")[]): void;
}

/** A link to a resource of a server that a tool returned to a user. */
export interface RememberedLink {
  /** Hash of user and URI. */
  readonly key: string;
  readonly userId: string;
  readonly serverId: string;
}

/** What the stream of a caller was notified of. */
export interface StreamState {
  readonly id: string;
  /** Hash of user, client and scope. */
  readonly caller: string;
  /** Hashes of the lists, by kind. */
  readonly lists: Readonly<Record<string, string>>;
  /** Hashes of the URIs that it subscribed to. */
  readonly resources: readonly string[];
}

/**
 * What the gateway remembers of callers for a time, for other processes and for the next start. All methods reject while
 * the database is unavailable.
 */
export interface CallerRecords {
  rememberLinks(links: readonly RememberedLink[], rememberedMs: number): Promise<void>;
  /** The ID of the server that returned the link; undefined if there is none. */
  linkedServer(key: string, rememberedMs: number): Promise<string | undefined>;
  streamsOf(caller: string, rememberedMs: number): Promise<StreamState[]>;
  saveStreams(streams: readonly StreamState[], forgotten: readonly string[], rememberedMs: number): Promise<void>;
}

/** The text of results that were cut, for an hour. All methods reject while the database is unavailable. */
export interface StoredResults {
  /** Undefined if there is no space. */
  save(result: {
    readonly userId: string;
    readonly serverId: string;
    readonly text: string;
  }): Promise<string | undefined>;
  /** Undefined if the result belongs to another user or has expired. */
  find(userId: string, id: string): Promise<{ readonly serverId: string; readonly text: string } | undefined>;
}

/**
 * The call log. A call is forwarded only after its begin mark, and answered only after its record, is in the spool. The
 * callbacks receive a failure if that takes too long; the mark is still written when the disk accepts it.
 */
export interface CallSink {
  begin(call: StartedCall, forward: MarkCallback): void;
  end(call: EndedCall, answer: MarkCallback): void;
}

export type MarkCallback = (failure?: Refusal) => void;

/** Stores a call's payload. Copies what it needs, never waits, and may drop it. */
export interface PayloadSink {
  add(call: {
    readonly requestId: string;
    readonly at: number;
    readonly capture: PayloadCapture;
    readonly request: readonly Buffer[];
    readonly response: readonly Buffer[];
  }): void;
}

/** A completed span in OpenTelemetry's sense. */
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
  /** Error message; undefined if the span succeeded. */
  readonly error: string | undefined;
}

/** Records spans of calls; never waits, and may drop them. */
export interface Tracer {
  /** The context of the gateway's span under the caller's; the caller's context if it is not recorded. */
  begin(parent: TraceContext | undefined): { readonly context: TraceContext; readonly isRecorded: boolean };
  child(of: TraceContext): TraceContext;
  finished(span: FinishedSpan): void;
}

/** A user's credential for a server. */
export interface UpstreamCredential {
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** Changes only when the user connects again: an upstream session of one grant is never used with another. */
  readonly grant: string;
}

/** `exchange_needed`: the server receives exchanged tokens, and the user has no valid one. */
export type CredentialState = UpstreamCredential | "not_connected" | "reconnect_needed" | "exchange_needed";

/** Users' credentials for upstreams. A promise means that the database or the token endpoint must be queried. */
export interface UpstreamCredentials {
  of(server: ServerEntry, userId: string): CredentialState | Promise<CredentialState>;
  /**
   * The server returned 401. Resolves with another credential if one exists by now or the old one could be renewed;
   * `again` means that the other one was rejected too.
   */
  refused(
    server: ServerEntry,
    userId: string,
    credential: UpstreamCredential,
    again: boolean,
  ): Promise<CredentialState>;
  /** The server returned 403 with this `WWW-Authenticate`, which is stored for the next time the user connects. */
  lacksScope(server: ServerEntry, userId: string, challenge: string): Promise<void>;
  /** Reads the current grant from the records; undefined if the user is not connected. */
  grantOf(userId: string, serverId: string): Promise<string | undefined>;
}

/** A call that a guard holds until a person approves it. */
export interface CallToApprove {
  readonly requestId: string;
  readonly userId: string;
  readonly userEmail: string;
  readonly server: Pick<ServerEntry, "id" | "slug" | "name">;
  readonly method: string;
  /** The upstream's name of the tool or prompt. */
  readonly tool: string;
  /** As they would be sent: an approval is for exactly these bytes. */
  readonly arguments: Buffer;
  readonly guard: HoldingGuard;
}

export type ApprovalState =
  /** The call may continue. No other call can use the approval. */
  | { readonly kind: "used"; readonly id: string }
  /** No decision yet. */
  | { readonly kind: "pending"; readonly id: string; readonly expiresAt: number }
  | { readonly kind: "denied"; readonly id: string; readonly note: string | undefined }
  | { readonly kind: "expired"; readonly id: string }
  /** An identical call has used it. */
  | { readonly kind: "gone"; readonly id: string }
  /** The call cannot wait for an approval. */
  | { readonly kind: "refused"; readonly message: string };

/** All methods reject while the database is unavailable. */
export interface ApprovalRecords {
  /** Uses the approval of an identical call, or returns its state, or requests an approval. */
  request(call: CallToApprove): Promise<ApprovalState>;
  /** Of these approvals, the ones that are decided, with whether they are approved. */
  decided(ids: readonly string[]): Promise<ReadonlyMap<string, "approved" | Exclude<ApprovalState, { kind: "used" }>>>;
  /** Uses an approved one. Of several concurrent calls, one gets `used`. */
  use(id: string): Promise<ApprovalState>;
}
