import type { Outcome } from "../call-log/record.ts";
import { answerParts, notificationParts } from "../envelope/answer.ts";
import { errorBody, INTERNAL_ERROR, INVALID_PARAMS } from "../envelope/errors.ts";
import { META_LOG_LEVEL } from "../envelope/meta-keys.ts";
import type { UpstreamError, UpstreamNotification, UpstreamResult } from "../envelope/read-response.ts";
import { rewriteCall } from "../envelope/rewrite-call.ts";
import type { EventStream } from "../exchange.ts";
import { type Allowed, decideScopedTool } from "../snapshot/decide.ts";
import type { Era } from "../snapshot/shape.ts";
import type { UpstreamFailure, UpstreamFailureKind } from "../upstream/failure.ts";
import { MODERN_META } from "../upstream/handshake.ts";
import type { UpstreamCallHandle, UpstreamSink } from "../upstream/upstreams.ts";
import { canBeRead, FIRST_SYNC_WAIT_MS } from "./first-sync.ts";
import { endCall, JSON_HEADERS, type McpRequest, type Methods, refuseUnlogged, startedCall } from "./request.ts";

const LONGEST_LOGGED_NAME = 256;
const CALLER_GONE = "The caller went away";
/** What a modern upstream needs and a legacy caller cannot give: by key, as JSON text. */
const MODERN_ENVELOPE = new Map(Object.entries(MODERN_META).map(([key, value]) => [key, JSON.stringify(value)]));

/** Spec 4.5: decides, forwards under our own id, and gives the answer back byte for byte but for what must change. */
export function toolsCall(request: McpRequest, methods: Methods): void {
  const name = request.call.params?.name;
  if (name === undefined) {
    deny(request, methods, "", "params.name must be a string");
    return;
  }
  const args = request.call.params?.arguments;
  if (args !== undefined && args.kind !== "object") {
    deny(request, methods, name, "params.arguments must be an object");
    return;
  }
  const decision = decideScopedTool(methods.holder.current(), request.principal.user, request.scope, name);
  if (decision.allowed) forward(request, methods, decision);
  else if (decision.reason === "not-synced" && canBeRead(decision.server))
    forwardOnceSynced(request, methods, name, decision.server.id);
  else deny(request, methods, name, unknownTool(name));
}

/** The caller may have heard of the tool from elsewhere: a server that was just created is read before it is judged. */
function forwardOnceSynced(request: McpRequest, methods: Methods, name: string, serverId: string): void {
  const decideAgain = () => {
    const snapshot = methods.holder.current();
    const user = snapshot.usersById.get(request.principal.userId);
    const decision = user && decideScopedTool(snapshot, user, request.scope, name);
    if (decision?.allowed) forward(request, methods, decision);
    else deny(request, methods, name, unknownTool(name));
  };
  methods.firstSync.wait([serverId], FIRST_SYNC_WAIT_MS).then(decideAgain, decideAgain);
}

/** D26: the same for a tool that does not exist and for one out of reach. */
function unknownTool(name: string): string {
  return `Unknown tool: ${name.slice(0, LONGEST_LOGGED_NAME)}`;
}

function deny(request: McpRequest, methods: Methods, name: string, message: string): void {
  const body = errorBody(request.call.rawId, INVALID_PARAMS, message);
  const tool = name.slice(0, LONGEST_LOGGED_NAME) || undefined;
  endCall(
    request,
    methods,
    "tools/call",
    { outcome: "denied", responseBytes: body.length, tool, error: message },
    () => {
      request.exchange.answer(200, JSON_HEADERS, [body]);
    },
  );
}

function forward(request: McpRequest, methods: Methods, decision: Allowed): void {
  const begun = { serverSlug: decision.server.slug, tool: decision.tool.upstreamName };
  if (request.exchange.gone) {
    // While the server was read for the first time: nobody waits for the call any more (GW-13).
    const ending = { ...begun, outcome: "cancelled", responseBytes: 0, error: CALLER_GONE } as const;
    endCall(request, methods, "tools/call", ending, () => {});
    return;
  }
  const call = new ForwardedCall(request, methods, decision);
  try {
    methods.calls.begin(startedCall(request, "tools/call", begun), () => call.send());
  } catch (error) {
    refuseUnlogged(request, methods, error);
  }
}

/** One call between its begin mark and its record. */
class ForwardedCall implements UpstreamSink {
  readonly #request: McpRequest;
  readonly #methods: Methods;
  readonly #decision: Allowed;
  #handle: UpstreamCallHandle | undefined;
  #stream: EventStream | undefined;
  #streamedBytes = 0;
  #ended = false;

  constructor(request: McpRequest, methods: Methods, decision: Allowed) {
    this.#request = request;
    this.#methods = methods;
    this.#decision = decision;
    request.exchange.onGone(() => this.#abandon());
  }

  send(): void {
    if (this.#ended) return;
    const { call, era, exchange, principal } = this.#request;
    const { server, tool } = this.#decision;
    const handle = this.#methods.upstreams.call(
      server,
      principal.userId,
      {
        method: call.method,
        name: tool.upstreamName,
        era,
        buildBody: (upstreamEra, id, progressToken) => this.#body(upstreamEra, id, progressToken),
        paramHeaders: era === "modern" ? exchange.paramHeaders() : [],
      },
      this,
    );
    // The upstream may have failed within this very call.
    if (!this.#ended) this.#handle = handle;
  }

  #body(upstreamEra: Era, id: number, progressToken: number): Buffer {
    const { call, era } = this.#request;
    const envelope = upstreamEra === era ? "keep" : upstreamEra === "legacy" ? "drop" : MODERN_ENVELOPE;
    return rewriteCall(call, { id, name: this.#decision.tool.upstreamName, progressToken, envelope });
  }

  notification(message: UpstreamNotification): void {
    const parts = this.#forCaller(message);
    if (this.#ended || !parts) return;
    this.#stream ??= this.#openStream();
    const event = Buffer.concat(parts);
    this.#streamedBytes += event.length;
    if (!this.#stream.send(event)) this.#handle?.pause();
  }

  /** What concerns this request and was asked for; undefined: nothing for the caller. */
  #forCaller(message: UpstreamNotification): Buffer[] | undefined {
    const { call, era, exchange } = this.#request;
    if (!exchange.header("accept")?.includes("text/event-stream")) return undefined;
    if (message.method === "notifications/progress") {
      const token = call.params?.progressToken;
      return token && notificationParts(message, call.source.text(token));
    }
    if (message.method !== "notifications/message") return undefined;
    // Modern callers hear logs only when they asked for a level.
    const wanted = era === "legacy" || call.params?.meta?.members.has(META_LOG_LEVEL);
    return wanted ? notificationParts(message) : undefined;
  }

  #openStream(): EventStream {
    const stream = this.#request.exchange.openStream();
    stream.onDrain(() => this.#handle?.resume());
    return stream;
  }

  response(message: UpstreamResult | UpstreamError): void {
    const { call, era } = this.#request;
    const parts = answerParts(message, {
      rawId: call.rawId,
      method: call.method,
      era,
      serverInfo: this.#methods.serverInfoJson,
    });
    if (message.kind === "error") this.#end("error", parts, `The server answered with error ${message.code}`);
    else this.#end(message.isError ? "tool_error" : "ok", parts, undefined);
  }

  failed(failure: UpstreamFailure): void {
    const { exchange, call } = this.#request;
    const body = errorBody(call.rawId, INTERNAL_ERROR, failure.message, { requestId: exchange.requestId });
    this.#end(OUTCOME_OF_FAILURE[failure.kind], [body], failure.message);
  }

  #end(outcome: Outcome, parts: readonly Buffer[], error: string | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    const responseBytes = this.#streamedBytes + parts.reduce((sum, part) => sum + part.length, 0);
    this.#record(outcome, responseBytes, error, () => {
      const stream = this.#stream;
      if (!stream) return this.#request.exchange.answer(200, JSON_HEADERS, parts);
      stream.send(Buffer.concat(parts));
      stream.end();
    });
  }

  /** Nobody can receive the answer any more: the upstream need not go on (GW-13). */
  #abandon(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#handle?.cancel();
    this.#record("cancelled", this.#streamedBytes, CALLER_GONE, () => {});
  }

  #record(outcome: Outcome, responseBytes: number, error: string | undefined, answer: () => void): void {
    const { server, tool } = this.#decision;
    const ending = { outcome, responseBytes, serverSlug: server.slug, tool: tool.upstreamName, error };
    endCall(this.#request, this.#methods, "tools/call", ending, answer);
  }
}

const OUTCOME_OF_FAILURE: Readonly<Record<UpstreamFailureKind, Outcome>> = {
  unreachable: "upstream_failed",
  refused: "upstream_failed",
  timeout: "timeout",
  "bad-answer": "upstream_failed",
  "too-large": "upstream_failed",
  status: "upstream_failed",
  unauthorized: "upstream_failed",
  cancelled: "cancelled",
};
