import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { UserCallLimiter } from "./call/user-call-limiter.ts";
import type { RequestMessage } from "./envelope/read-request.ts";
import type { Exchange } from "./exchange.ts";
import type { LinkedResources } from "./lists/linked-resources.ts";
import type { CallSink, FirstSync, PayloadSink, UpstreamCredentials } from "./ports.ts";
import type { SessionServices } from "./sessions/session-services.ts";
import type { McpSession } from "./sessions/sessions.ts";
import type { Principal } from "./snapshot/authenticate.ts";
import type { SnapshotHolder } from "./snapshot/holder.ts";
import type { AnswerHere, HereResource } from "./snapshot/resolve.ts";
import type { Scope } from "./snapshot/scope.ts";
import type { Era } from "./snapshot/shape.ts";
import type { CallTrace } from "./tracing/call-trace.ts";
import type { ResponseMemory } from "./upstream/limits/response-memory.ts";
import type { Upstreams } from "./upstream/upstreams.ts";

/** One JSON-RPC request whose envelope passed every check. */
export interface McpRequest {
  readonly exchange: Exchange;
  readonly principal: Principal;
  readonly scope: Scope;
  readonly call: RequestMessage;
  readonly era: Era;
  /** The legacy session of the request; most requests have none (Spec 4.5). */
  readonly session: McpSession | undefined;
  /** Wall clock and monotonic clock when the body was complete. */
  readonly at: number;
  readonly startedAt: number;
  /** Undefined if the request belongs to no trace. */
  readonly trace: CallTrace | undefined;
}

/** The dependencies of the protocol's methods. */
export interface GatewayContext {
  readonly holder: SnapshotHolder;
  readonly upstreams: Upstreams;
  readonly credentials: UpstreamCredentials;
  readonly firstSync: FirstSync;
  readonly sessions: SessionServices;
  readonly own: OwnContent;
  readonly calls: CallSink;
  readonly payloads: PayloadSink;
  readonly userCallLimiter: UserCallLimiter;
  readonly responseMemory: ResponseMemory;
  readonly links: LinkedResources;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The page where a user connects to the server with this slug (D25). */
  readonly connectUrl: (slug: string) => string;
  readonly serverInfo: ServerInfo;
  /** `serverInfo` as JSON text. */
  readonly serverInfoJson: string;
}

export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** Answers a request for content of the gateway itself, and records it if its method is logged. */
export type OwnAnswer = (request: McpRequest, context: GatewayContext, target: AnswerHere | HereResource) => void;

/** By `OwnSource.content`. */
export type OwnContent = ReadonlyMap<string, OwnAnswer>;

export type Method = (request: McpRequest, context: GatewayContext) => void;

/** Names longer than this are truncated in logs and error messages. */
export const MAX_LOGGED_NAME = 256;

export const JSON_HEADERS = ["content-type", "application/json"] as const;
