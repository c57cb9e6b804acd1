import type { IncomingMessage, ServerResponse } from "node:http";
import { LoadMonitor } from "#lib/load-monitor";
import { CallerShares } from "./call/caller-shares.ts";
import type { Methods, ServerInfo } from "./call/request.ts";
import { SessionCalls } from "./call/session-calls.ts";
import { handleMcp } from "./handle-mcp.ts";
import { HttpExchange } from "./http-exchange.ts";
import { InFlightBytes } from "./in-flight-bytes.ts";
import type { CredentialRefresh, ListSync, Replicas, SecretVerifier, SessionSeal, Tracer } from "./ports.ts";
import { createSessionParts, type SessionChange } from "./sessions/session-parts.ts";

const IN_FLIGHT_LIMIT_BYTES = 256 * 1024 * 1024;

/** What the gateway makes for itself. */
type Made =
  | "serverInfoJson"
  | "sessions"
  | "questions"
  | "sessionCalls"
  | "cancelElsewhere"
  | "watchers"
  | "resumable"
  | "announcements"
  | "subscriptions"
  | "sessionSubscriptions"
  | "sessionStreams"
  | "callerShares";

export interface GatewayNeeds extends Omit<Methods, Made> {
  readonly verifier: SecretVerifier;
  readonly credentialRefresh: CredentialRefresh;
  readonly credentialRefused?: (() => void) | undefined;
  readonly resourceMetadataUrl: (host: string | undefined) => string;
  readonly listSync: ListSync;
  readonly newRequestId: () => string;
  readonly sessionSeal: SessionSeal;
  readonly questionSeal: SessionSeal;
  readonly newSessionId: () => string;
  readonly serverInfo: ServerInfo;
  /** Whether there is no other process to which a caller's next request could go. */
  readonly alone: boolean;
  /** Undefined: there are none. */
  readonly replicas?: Replicas | undefined;
  /** How full the heap is; default: as it says itself. */
  readonly heapShare?: (() => number) | undefined;
  /** Undefined: no spans are recorded. */
  readonly tracer?: Tracer | undefined;
}

export interface Gateway {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** GW-16: there is more to do than can be done. */
  isOverloaded(): boolean;
  /** What became of mcp sessions, heard from all processes. */
  sessionsChanged(changes: readonly SessionChange[]): void;
  /** Another process is gone. */
  onReplicaGone(): void;
  /** Ends the streams that would stay open for as long as their readers like. */
  close(): void;
}

/** The data plane's front: node's request and response become an exchange, and the pipeline takes over. */
export function createGateway(needs: GatewayNeeds): Gateway {
  const { newRequestId, sessionSeal, questionSeal, newSessionId, alone, replicas, heapShare, ...rest } = needs;
  const sessionCalls = new SessionCalls();
  const { parts, sessionsChanged, onReplicaGone, close } = createSessionParts({ ...needs, sessionCalls });
  const load = new LoadMonitor(needs.clock, heapShare);
  load.start();
  const isOverloaded = () => load.isOverloaded;
  const inFlight = new InFlightBytes(IN_FLIGHT_LIMIT_BYTES);
  const pipeline = {
    ...rest,
    ...parts,
    sessionCalls,
    callerShares: new CallerShares(needs.clock),
    serverInfoJson: JSON.stringify(needs.serverInfo),
    isOverloaded,
  };
  return {
    handle: (request, response) => handleMcp(new HttpExchange(request, response, newRequestId(), inFlight), pipeline),
    sessionsChanged,
    onReplicaGone,
    isOverloaded,
    close() {
      load.stop();
      close();
    },
  };
}
