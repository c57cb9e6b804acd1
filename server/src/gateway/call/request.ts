import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { LoggedMethod, Outcome } from "../call-log/record.ts";
import { errorBody, INTERNAL_ERROR } from "../envelope/errors.ts";
import type { RequestMessage } from "../envelope/read-request.ts";
import type { Exchange } from "../exchange.ts";
import type { CallSink, FirstSync, PayloadSink, SessionRecords, UpstreamCredentials } from "../ports.ts";
import type { Announcements } from "../sessions/announcements.ts";
import type { Questions } from "../sessions/questions.ts";
import type { ResourceSubscriptions } from "../sessions/resource-subscriptions.ts";
import type { ResumableStreams } from "../sessions/resumable-streams.ts";
import type { SessionStreams } from "../sessions/session-requests.ts";
import type { SessionSubscriptions } from "../sessions/session-subscriptions.ts";
import type { McpSession, Sessions } from "../sessions/sessions.ts";
import type { ViewWatchers } from "../sessions/view-watchers.ts";
import type { Principal } from "../snapshot/authenticate.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import type { Scope } from "../snapshot/scope.ts";
import type { Era } from "../snapshot/shape.ts";
import type { CallTrace } from "../tracing/call-trace.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import type { CallerShares } from "./caller-shares.ts";
import type { SessionCalls } from "./session-calls.ts";

/** One JSON-RPC request that has passed every check of its envelope. */
export interface McpRequest {
  readonly exchange: Exchange;
  readonly principal: Principal;
  /** What the address speaks of (D27). */
  readonly scope: Scope;
  readonly call: RequestMessage;
  readonly era: Era;
  /** The legacy session that it came in; most come without one (Spec 4.5). */
  readonly session: McpSession | undefined;
  /** Wall clock and monotonic, taken when the body was complete. */
  readonly at: number;
  readonly startedAt: number;
  /** Undefined: it belongs to no trace. */
  readonly trace: CallTrace | undefined;
}

/** What a caller or an upstream can make arbitrarily long is logged and repeated only up to here. */
export const LONGEST_LOGGED_NAME = 256;

export const JSON_HEADERS = ["content-type", "application/json"] as const;

export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** What the methods share. */
export interface Methods {
  readonly holder: SnapshotHolder;
  readonly firstSync: FirstSync;
  readonly calls: CallSink;
  readonly payloads: PayloadSink;
  readonly upstreams: Upstreams;
  readonly credentials: UpstreamCredentials;
  readonly sessions: Sessions;
  readonly sessionRecords: SessionRecords;
  readonly questions: Questions;
  readonly sessionCalls: SessionCalls;
  /** A call that is not under way here may be at another process. */
  readonly cancelElsewhere: (sessionId: string, rawId: string) => void;
  readonly watchers: ViewWatchers;
  readonly resumable: ResumableStreams;
  readonly announcements: Announcements;
  readonly subscriptions: ResourceSubscriptions;
  readonly sessionSubscriptions: SessionSubscriptions;
  readonly sessionStreams: SessionStreams;
  readonly callerShares: CallerShares;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where a user connects to the server of this slug (D25). */
  readonly connectUrl: (slug: string) => string;
  readonly serverInfo: ServerInfo;
  /** The same as JSON text, written once. */
  readonly serverInfoJson: string;
}

export type Method = (request: McpRequest, methods: Methods) => void;

export interface Ending {
  readonly outcome: Outcome;
  readonly responseBytes: number;
  readonly serverSlug?: string | undefined;
  readonly tool?: string | undefined;
  readonly error?: string | undefined;
  /** On the monotonic clock. */
  readonly forwardedAt?: number | undefined;
}

export interface Begun {
  readonly serverSlug: string | undefined;
  readonly tool: string | undefined;
}

export function startedCall(
  request: McpRequest,
  { holder }: Methods,
  method: LoggedMethod,
  { serverSlug, tool }: Begun,
) {
  const { via, clientId } = request.principal;
  const isKey = via === "machine_key";
  return {
    requestId: request.exchange.requestId,
    at: request.at,
    method,
    userId: request.principal.userId,
    userEmail: request.principal.email,
    serverSlug,
    tool,
    requestBytes: holder.current().limits.payloadCapture === "off" ? 0 : request.call.source.length,
    via: isKey ? undefined : via,
    client: isKey ? undefined : clientId,
  };
}

/**
 * Writes the record, then answers: no answer is out before its record is in the spool (GW-21). When the spool takes no
 * more, the caller is told to come back.
 */
export function endCall(
  request: McpRequest,
  methods: Methods,
  method: LoggedMethod,
  ending: Ending,
  answer: () => void,
): void {
  const { exchange, principal } = request;
  const isKey = principal.via === "machine_key";
  const { forwardedAt } = ending;
  const isOff = methods.holder.current().limits.payloadCapture === "off";
  const ended = {
    requestId: exchange.requestId,
    at: request.at,
    method,
    userId: principal.userId,
    userEmail: principal.email,
    serverSlug: ending.serverSlug,
    tool: ending.tool,
    requestBytes: isOff ? 0 : request.call.source.length,
    via: isKey ? undefined : principal.via,
    client: isKey ? undefined : principal.clientId,
    outcome: ending.outcome,
    durationUs: Math.round((methods.clock.monotonic() - request.startedAt) * 1000),
    responseBytes: isOff ? 0 : ending.responseBytes,
    error: isOff ? undefined : ending.error,
    forwardedUs: forwardedAt === undefined ? undefined : Math.round((forwardedAt - request.startedAt) * 1000),
    traceId: request.trace?.traceId,
  };
  request.trace?.finish(request.call, exchange.header("mcp-protocol-version") ?? request.session?.version, ended);
  try {
    methods.calls.end(ended, answer);
  } catch (error) {
    refuseUnlogged(request, methods, error);
  }
}

/** A call that cannot be logged is not made, and its answer not given (GW-21). */
export function refuseUnlogged({ exchange, call }: McpRequest, { logger }: Methods, error: unknown): void {
  logger.error({ err: error, requestId: exchange.requestId }, "a call was refused, since it could not be logged");
  const body = errorBody(call.rawId, INTERNAL_ERROR, "The call log cannot be written; try again");
  exchange.fail(503, [...JSON_HEADERS, "retry-after", "5"], [body]);
}
