import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "#lib/clock";
import { LoadMonitor } from "#lib/load-monitor";
import type { Logger } from "#lib/logger";
import { CallerShares } from "./call/caller-shares.ts";
import { handleMcp } from "./handle-mcp.ts";
import { HttpExchange } from "./http-exchange.ts";
import { InFlightBytes } from "./in-flight-bytes.ts";
import { OWN_CONTENT } from "./own/own-content.ts";
import type {
  CallSink,
  CredentialRefresh,
  FirstSync,
  ListSync,
  PayloadSink,
  Replicas,
  SecretVerifier,
  SessionRecords,
  SessionSeal,
  Tracer,
  UpstreamCredentials,
} from "./ports.ts";
import type { OwnContent, ServerInfo } from "./request.ts";
import { createSessionServices, type SessionChange } from "./sessions/session-services.ts";
import type { SnapshotHolder } from "./snapshot/holder.ts";
import type { Upstreams } from "./upstream/upstreams.ts";

const IN_FLIGHT_LIMIT_BYTES = 256 * 1024 * 1024;

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
  /** Called for each refused credential, for metrics. */
  readonly credentialRefused?: (() => void) | undefined;
  readonly sessionRecords: SessionRecords;
  readonly sessionSeal: SessionSeal;
  readonly questionSeal: SessionSeal;
  readonly newSessionId: () => string;
  readonly newRequestId: () => string;
  /** Default: all that the gateway has. */
  readonly own?: OwnContent | undefined;
  readonly serverInfo: ServerInfo;
  /** The page where a user connects to the server with this slug (D25). */
  readonly connectUrl: (slug: string) => string;
  /** RFC 9728, for the host by which the caller knows us. */
  readonly resourceMetadataUrl: (host: string | undefined) => string;
  /** True: every request of a caller reaches this process. */
  readonly alone: boolean;
  /** Undefined: there are no other processes. */
  readonly replicas?: Replicas | undefined;
  /** Undefined: no spans are recorded. */
  readonly tracer?: Tracer | undefined;
  /** The used share of the heap. Default: as V8 reports it. */
  readonly heapShare?: (() => number) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Gateway {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** GW-16: new requests are refused for now. */
  isOverloaded(): boolean;
  /** Applies what this and other processes have stored about MCP sessions. */
  sessionsChanged(changes: readonly SessionChange[]): void;
  onReplicaGone(): void;
  /** Ends the streams that would otherwise stay open for as long as their readers like. */
  close(): void;
}

/** The data plane's front: node's request and response become an exchange for `handleMcp`. */
export function createGateway(options: GatewayOptions): Gateway {
  const { clock, newRequestId, heapShare, serverInfo } = options;
  const sessions = createSessionServices(options);
  const load = new LoadMonitor(clock, heapShare);
  load.start();
  const isOverloaded = () => load.isOverloaded;
  const inFlight = new InFlightBytes(IN_FLIGHT_LIMIT_BYTES);
  const pipeline = {
    ...options,
    sessions: sessions.services,
    own: options.own ?? OWN_CONTENT,
    callerShares: new CallerShares(clock),
    serverInfoJson: JSON.stringify(serverInfo),
    isOverloaded,
  };
  return {
    handle: (request, response) => handleMcp(new HttpExchange(request, response, newRequestId(), inFlight), pipeline),
    isOverloaded,
    sessionsChanged: sessions.sessionsChanged,
    onReplicaGone: sessions.onReplicaGone,
    close() {
      load.stop();
      sessions.close();
    },
  };
}
