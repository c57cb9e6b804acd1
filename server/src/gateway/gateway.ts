import type { IncomingMessage, ServerResponse } from "node:http";
import type { BackgroundTurns } from "#lib/background-turns";
import { type AddressOf, createAddressOf } from "#lib/caller-address";
import type { Clock } from "#lib/clock";
import type { ClosedConnections } from "#lib/closed-connections";
import { FailedAttempts } from "#lib/failed-attempts";
import { InFlightBytes } from "#lib/in-flight-bytes";
import { LoadMonitor } from "#lib/load-monitor";
import type { Logger } from "#lib/logger";
import { shareOfMemory } from "#lib/memory-limit";
import type { ReadPacer } from "#lib/read-pacer";
import { ApprovalWaits } from "./call/approvals/approval-waits.ts";
import { CallLimiter } from "./call/call-limiter.ts";
import { HeldCalls } from "./call/held/held-calls.ts";
import { handleMcp } from "./handle-mcp.ts";
import { HttpExchange } from "./http-exchange.ts";
import { LinkedResources } from "./lists/linked-resources.ts";
import { MemoryExchange, type OwnRequest, type OwnResponse } from "./memory-exchange.ts";
import { OWN_CONTENT } from "./own/own-content.ts";
import { SkillFiles } from "./own/skills/skill-files.ts";
import type {
  ApprovalRecords,
  CallerRecords,
  CallSink,
  CredentialRefresh,
  FileContents,
  FirstSync,
  ListSync,
  PayloadSink,
  PluginSource,
  SecretVerifier,
  StoredResults,
  Tracer,
  UpstreamCredentials,
} from "./ports.ts";
import type { OwnContent, ServerInfo } from "./request.ts";
import type { Replicas, SessionRecords, SessionSeal } from "./session-ports.ts";
import { createSessionServices, type SessionChange } from "./sessions/session-services.ts";
import type { SnapshotHolder } from "./snapshot/holder.ts";
import { ToolIndexes } from "./tool-search/tool-indexes.ts";
import { ResponseMemory } from "./upstream/limits/response-memory.ts";
import type { Upstreams } from "./upstream/upstreams.ts";

const MB = 1024 * 1024;
const WRONG_CREDENTIALS_PER_MINUTE = 100;
/** Of request bodies and of large responses that are in progress, each. */
const SHARE_OF_MEMORY = 1 / 8;

export interface GatewayOptions {
  readonly holder: SnapshotHolder;
  readonly upstreams: Upstreams;
  readonly credentials: UpstreamCredentials;
  readonly firstSync: FirstSync;
  readonly listSync: ListSync;
  readonly calls: CallSink;
  readonly payloads: PayloadSink;
  readonly verifier: SecretVerifier;
  readonly credentialRefresh: CredentialRefresh;
  /** Called for each rejected credential, for metrics. */
  readonly credentialRefused?: (() => void) | undefined;
  readonly closedConnections: Pick<ClosedConnections, "add">;
  /** The caller's IP address. Default: of the connection. */
  readonly addressOf?: AddressOf | undefined;
  readonly approvals: ApprovalRecords;
  /** The files of skills and plugins. */
  readonly fileContents: FileContents;
  readonly plugins: PluginSource;
  readonly sessionRecords: SessionRecords;
  readonly callerRecords: CallerRecords;
  readonly storedResults: StoredResults;
  readonly sessionSeal: SessionSeal;
  readonly questionSeal: SessionSeal;
  readonly requestStateSeal: SessionSeal;
  readonly newSessionId: () => string;
  readonly newRequestId: () => string;
  /** Default: all content of the gateway. */
  readonly own?: OwnContent | undefined;
  readonly serverInfo: ServerInfo;
  /** The page where a user connects to the server with this slug (D25). */
  readonly connectUrl: (slug: string) => string;
  /** The page of the approval with this ID. */
  readonly approvalUrl: (id: string) => string;
  /** RFC 9728: the metadata URL for the host that the caller used. */
  readonly resourceMetadataUrl: (host: string | undefined) => string;
  /** True if every request of a caller reaches this process. */
  readonly alone: boolean;
  /** Undefined if this is the only process. */
  readonly replicas?: Replicas | undefined;
  /** Undefined if no spans are recorded. */
  readonly tracer?: Tracer | undefined;
  /** Above it, new requests are rejected. */
  readonly maxEventLoopDelayMs: number;
  /** The used share of the memory. Default: of the heap limit or the container's limit. */
  readonly memoryShare?: (() => number) | undefined;
  /** Default: a share of the memory. */
  readonly responseMemoryBytes?: number | undefined;
  /** Likewise, for request bodies and for responses that no server sent. */
  readonly inFlightBytes?: number | undefined;
  readonly pacer: ReadPacer;
  /** Background work of this process waits while callers are active. */
  readonly background: Pick<BackgroundTurns, "noteRequest">;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Gateway {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** A request of this process itself. Rejects with the reason of its signal. */
  request(request: OwnRequest): Promise<OwnResponse>;
  /** GW-16: whether new requests are currently rejected. */
  isOverloaded(): boolean;
  /** Call when the process starts to accept requests. */
  listening(): void;
  /** For metrics: the large responses in progress. */
  readonly responseMemory: Pick<ResponseMemory, "heldBytes">;
  /** Applies changes of MCP sessions that this or another process stored. */
  sessionsChanged(changes: readonly SessionChange[]): void;
  onReplicaGone(): void;
  /** The limits of callers, whose counts the workers of one service share. */
  readonly callLimiter: CallLimiter;
  /** Approvals that were decided, here or in another process; undefined: any may be. */
  approvalsChanged(ids: ReadonlySet<string> | undefined): void;
  /** Ends streams, which would otherwise stay open until their clients disconnect. */
  close(): void;
}

/** Entry point of the data plane: wraps Node's request and response in an exchange for `handleMcp`. */
export function createGateway(options: GatewayOptions): Gateway {
  const { clock, newRequestId, maxEventLoopDelayMs, memoryShare, serverInfo, background } = options;
  const sessions = createSessionServices(options);
  const serverInfoJson = JSON.stringify(serverInfo);
  const load = new LoadMonitor(clock, maxEventLoopDelayMs, memoryShare);
  load.start();
  const isOverloaded = () => load.isOverloaded;
  const addressOf = options.addressOf ?? createAddressOf([]);
  const inFlight = new InFlightBytes(options.inFlightBytes ?? shareOfMemory(SHARE_OF_MEMORY, 32 * MB, 256 * MB));
  const exchanges = { inFlight, addressOf, closedConnections: options.closedConnections };
  const responseMemoryBytes = options.responseMemoryBytes ?? shareOfMemory(SHARE_OF_MEMORY, 64 * MB, 512 * MB);
  const responseMemory = new ResponseMemory(clock, responseMemoryBytes);
  const links = new LinkedResources({ ...options, records: options.callerRecords });
  const heldCalls = new HeldCalls({
    ...options,
    responseMemory,
    serverInfoJson,
    replicas: options.replicas,
    seal: options.requestStateSeal,
    newId: options.newSessionId,
    mailboxes: sessions.services.mailboxes,
  });
  const approvalWaits = new ApprovalWaits({ records: options.approvals, clock, logger: options.logger });
  const callLimiter = new CallLimiter(clock);
  const pipeline = {
    ...options,
    sessions: sessions.services,
    own: options.own ?? OWN_CONTENT,
    heldCalls,
    approvalWaits,
    callLimiter,
    responseMemory,
    links,
    storedResults: options.storedResults,
    toolIndexes: new ToolIndexes(),
    skillFiles: new SkillFiles(options.fileContents),
    serverInfoJson,
    isOverloaded,
    wrongCredentials: new FailedAttempts(clock, WRONG_CREDENTIALS_PER_MINUTE),
    largeRequests: options.pacer.lane(),
  };
  return {
    handle(request, response) {
      background.noteRequest();
      handleMcp(new HttpExchange(request, response, newRequestId(), exchanges), pipeline);
    },
    request: (request) =>
      new Promise((resolve, reject) => {
        request.signal.throwIfAborted();
        const ends = { done: resolve, canceled: () => reject(request.signal.reason) };
        handleMcp(new MemoryExchange(request, newRequestId(), inFlight, ends), pipeline);
      }),
    isOverloaded,
    listening: () => load.warmUp(),
    responseMemory,
    callLimiter,
    sessionsChanged: sessions.sessionsChanged,
    onReplicaGone: sessions.onReplicaGone,
    approvalsChanged: (ids) => approvalWaits.changed(ids),
    close() {
      approvalWaits.close();
      load.stop();
      sessions.close();
      links.close();
    },
  };
}
