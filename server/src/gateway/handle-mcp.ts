/**
 * Handles a request at the gateway in order: authentication, parsing, era, method. It only waits for the body, and for
 * one database lookup when this process does not know a key or its secret.
 */
import { ByteSource } from "#lib/json/byte-source";
import { LARGE_TEXT_BYTES } from "#lib/json/scan-in-turns";
import { answerBatch, batchProblem } from "./batch.ts";
import { type CredentialNeeds, identify, refuseUnlessKnown } from "./check-credential.ts";
import { determineEra } from "./envelope/era.ts";
import {
  CONNECTION_ERROR,
  errorBody,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  SESSION_NOT_FOUND,
  TOOLKIT_NOT_FOUND_BODY,
} from "./envelope/errors.ts";
import {
  type Message,
  type ParsedRequest,
  type RequestMessage,
  readLargeRequest,
  readRequest,
} from "./envelope/read-request.ts";
import type { BodyReader, Exchange } from "./exchange.ts";
import { METHODS } from "./methods.ts";
import { isPluginPath } from "./own/plugins/plugin-paths.ts";
import { answerPluginRequest } from "./own/plugins/serve-plugins.ts";
import { answerSkillDownload } from "./own/skills/download-skills.ts";
import type { Tracer } from "./ports.ts";
import { type GatewayContext, JSON_HEADERS } from "./request.ts";
import { canUseToolkit, scopeFor } from "./request-scope.ts";
import { passOn } from "./sessions/relay.ts";
import type { McpSession } from "./sessions/sessions.ts";
import type { Principal } from "./snapshot/authenticate.ts";
import { GATEWAY_PATH, pathOf } from "./snapshot/scope.ts";
import { traceOf } from "./tracing/call-trace.ts";

export interface Pipeline extends GatewayContext, CredentialNeeds {
  /** GW-16: requests in progress continue, new ones are rejected. */
  readonly isOverloaded: () => boolean;
  /** Undefined if no spans are recorded. */
  readonly tracer?: Tracer | undefined;
}

const SESSION_HEADER = "mcp-session-id";
/** Only legacy upstreams send requests to callers. */
const LEGACY_RESPONSE = { era: "legacy" } as const;
const BODY_LIMIT_BYTES = 4 * 1024 * 1024; // GW-5

export function handleMcp(exchange: Exchange, pipeline: Pipeline): void {
  if (pipeline.isOverloaded()) return refuseBusy(exchange);
  const verdict = identify(exchange, pipeline);
  if (verdict.kind === "principal") admit(exchange, verdict.principal, pipeline);
  else refuseUnlessKnown(exchange, verdict, pipeline, admit);
}

function admit(exchange: Exchange, principal: Principal, pipeline: Pipeline): void {
  exchange.payer = principal.userId;
  if (!canUseToolkit(exchange, principal, pipeline.holder))
    return exchange.answer(404, JSON_HEADERS, [TOOLKIT_NOT_FOUND_BODY]);
  if (!exchange.target.startsWith(GATEWAY_PATH)) return answerDownload(exchange, principal, pipeline);
  if (exchange.method !== "POST") {
    handleSessionRequest(exchange, principal, pipeline);
    return;
  }
  const encoding = exchange.header("content-encoding");
  if (!isJson(exchange.header("content-type")) || (encoding !== undefined && encoding !== "identity")) {
    refuse(exchange, 415, INVALID_REQUEST, "Content-Type must be application/json, without a Content-Encoding");
    return;
  }
  exchange.readBody(BODY_LIMIT_BYTES, new AdmittedRequest(exchange, principal, pipeline));
}

/** The listener passes only paths of `/mcp`, skills and plugins. */
function answerDownload(exchange: Exchange, principal: Principal, pipeline: Pipeline): void {
  if (isPluginPath(pathOf(exchange.target))) answerPluginRequest(exchange, principal, pipeline);
  else answerSkillDownload(exchange, principal, pipeline);
}

/** An authenticated request whose body is being read. */
class AdmittedRequest implements BodyReader {
  readonly #exchange: Exchange;
  readonly #principal: Principal;
  readonly #pipeline: Pipeline;

  constructor(exchange: Exchange, principal: Principal, pipeline: Pipeline) {
    this.#exchange = exchange;
    this.#principal = principal;
    this.#pipeline = pipeline;
  }

  done(chunks: readonly Buffer[]): void {
    receive(this.#exchange, this.#principal, chunks, this.#pipeline);
  }

  tooLarge(): void {
    refuse(this.#exchange, 413, INVALID_REQUEST, "Request body is larger than 4 MiB");
  }

  noRoom(): void {
    refuseBusy(this.#exchange);
  }
}

/** GET and DELETE require a session. Without one, the response is that of a server without sessions. */
function handleSessionRequest(exchange: Exchange, principal: Principal, pipeline: Pipeline): void {
  const token = exchange.header(SESSION_HEADER);
  const known = exchange.method === "GET" || exchange.method === "DELETE";
  if (!known || token === undefined) {
    const allow = token === undefined ? "POST" : "GET, POST, DELETE";
    refuse(exchange, 405, INVALID_REQUEST, "Method not allowed", ["allow", allow]);
    return;
  }
  const session = pipeline.sessions.ids.find(token, principal.userId);
  const scope = scopeFor(exchange);
  if (!session) refuseSession(exchange);
  else if (typeof scope === "string") refuse(exchange, 400, INVALID_REQUEST, scope);
  else if (exchange.method === "DELETE") {
    void endSession(session, pipeline).finally(() => exchange.answer(200, [], []));
  } else if (!pipeline.sessions.streams.open(exchange, principal, scope, session)) {
    refuse(exchange, 429, CONNECTION_ERROR, "Too many open streams; close one first", ["retry-after", "5"]);
  }
}

/** Ends the session in this process immediately; resolves when the other processes will be notified. */
async function endSession(session: McpSession, pipeline: Pipeline): Promise<void> {
  const { sessions, upstreams, logger } = pipeline;
  sessions.streams.end(session);
  void upstreams.ofSession.end(session);
  try {
    await sessions.records.ended(session.id);
  } catch (error) {
    logger.warn({ err: error }, "the end of a session could not be shared with other processes");
  }
}

/** GW-1: the session of a legacy message, if it belongs to this caller. Most messages have none (Spec 4.5). */
function sessionOf(
  exchange: Exchange,
  principal: Principal,
  { sessions }: Pipeline,
): McpSession | "foreign" | undefined {
  const token = exchange.header(SESSION_HEADER);
  return token === undefined ? undefined : (sessions.ids.find(token, principal.userId) ?? "foreign");
}

function refuseSession(exchange: Exchange, rawId?: string): void {
  refuse(exchange, 404, SESSION_NOT_FOUND, "Session not found", [], rawId);
}

function isJson(contentType: string | undefined): boolean {
  return contentType === "application/json" || /^application\/json\s*(?:;|$)/i.test(contentType ?? "");
}

function receive(exchange: Exchange, principal: Principal, chunks: readonly Buffer[], pipeline: Pipeline): void {
  const source = new ByteSource(chunks);
  if (source.length < LARGE_TEXT_BYTES) handleBody(exchange, principal, readRequest(source), pipeline);
  else {
    const read = (message: ParsedRequest) => exchange.gone || handleBody(exchange, principal, message, pipeline);
    readLargeRequest(source, pipeline.largeRequests, read);
  }
}

function handleBody(exchange: Exchange, principal: Principal, message: ParsedRequest, pipeline: Pipeline): void {
  if (message.kind !== "batch") {
    handleMessage(exchange, principal, message, pipeline);
    return;
  }
  const token = exchange.header(SESSION_HEADER);
  const session = token === undefined ? undefined : pipeline.sessions.ids.find(token, principal.userId);
  const problem = batchProblem(message, exchange.header("mcp-protocol-version") ?? session?.version);
  if (token !== undefined && !session) refuseSession(exchange);
  else if (problem === undefined) {
    answerBatch(exchange, message, (part, one) => handleMessage(part, principal, one, pipeline));
  } else refuse(exchange, 400, INVALID_REQUEST, `Invalid Request: ${problem}`);
}

function handleMessage(exchange: Exchange, principal: Principal, message: Message, pipeline: Pipeline): void {
  if (message.kind !== "request") {
    handleNonRequest(exchange, principal, message, pipeline);
    return;
  }
  try {
    dispatch(exchange, principal, message, pipeline);
  } catch (error) {
    // An internal error must end only this request, not the process.
    pipeline.logger.error({ err: error, requestId: exchange.requestId }, "a request failed");
    const body = errorBody(message.rawId, INTERNAL_ERROR, "Internal error", { requestId: exchange.requestId });
    exchange.fail(500, JSON_HEADERS, [body]);
  }
}

/** Handles messages other than requests: accepts notifications and responses, rejects invalid messages. */
function handleNonRequest(
  exchange: Exchange,
  principal: Principal,
  message: Exclude<Message, RequestMessage>,
  pipeline: Pipeline,
): void {
  if (message.kind === "invalid") {
    refuse(exchange, 400, message.jsonRpcCode, message.message, [], message.rawId);
    return;
  }
  const verdict = message.kind === "response" ? LEGACY_RESPONSE : determineEra(message, eraHeaders(exchange));
  if (verdict.era === "refused") refuse(exchange, 400, verdict.code, verdict.message, [], undefined, verdict.data);
  else if (verdict.era === "modern") exchange.answer(202, [], []);
  else {
    const session = sessionOf(exchange, principal, pipeline);
    if (session === "foreign") refuseSession(exchange);
    else if (!session) exchange.answer(202, [], []);
    // Answered after forwarding: until then its bytes count as held memory.
    else void passOn(message, principal, session, pipeline).finally(() => exchange.answer(202, [], []));
  }
}

function dispatch(exchange: Exchange, principal: Principal, call: RequestMessage, pipeline: Pipeline): void {
  const verdict = determineEra(call, eraHeaders(exchange));
  if (verdict.era === "refused") {
    refuse(exchange, 400, verdict.code, verdict.message, [], call.rawId, verdict.data);
    return;
  }
  const inSession = verdict.era === "legacy" && call.method !== "initialize";
  const session = inSession ? sessionOf(exchange, principal, pipeline) : undefined;
  if (session === "foreign") {
    refuseSession(exchange, call.rawId);
    return;
  }
  const method = METHODS[verdict.era].get(call.method);
  if (!method) {
    // Only modern clients distinguish an unknown method by status; legacy ones would interpret 404 as a lost session.
    refuse(exchange, verdict.era === "modern" ? 404 : 200, METHOD_NOT_FOUND, "Method not found", [], call.rawId);
    return;
  }
  const scope = scopeFor(exchange);
  if (typeof scope === "string") {
    refuse(exchange, 400, INVALID_REQUEST, scope, [], call.rawId);
    return;
  }
  const { era } = verdict;
  const { clock, tracer } = pipeline;
  const at = clock.now();
  const startedAt = clock.monotonic();
  const trace = traceOf(exchange, call, tracer);
  method({ exchange, principal, scope, call, era, session, at, startedAt, trace, exposed: undefined }, pipeline);
}

function eraHeaders(exchange: Exchange) {
  return {
    protocolVersion: exchange.header("mcp-protocol-version"),
    method: exchange.header("mcp-method"),
    name: exchange.header("mcp-name"),
  };
}

function refuseBusy(exchange: Exchange): void {
  refuse(exchange, 503, INTERNAL_ERROR, "The gateway is busy; try again", ["retry-after", "1"]);
}

function refuse(
  exchange: Exchange,
  status: number,
  code: number,
  message: string,
  headers: readonly string[] = [],
  rawId?: string,
  data?: unknown,
): void {
  exchange.answer(status, [...JSON_HEADERS, ...headers], [errorBody(rawId, code, message, data)]);
}
