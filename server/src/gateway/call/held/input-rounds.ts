import type { Timer } from "#lib/clock";
import { isObject } from "#lib/is-object";
import { acceptsQuestion, type ClientCapabilities } from "../../envelope/client-capabilities.ts";
import { errorBody, INTERNAL_ERROR } from "../../envelope/errors.ts";
import {
  INPUT_REQUEST_METHODS,
  type InputRequest,
  type InputRequests,
  readInputRequests,
} from "../../envelope/input-required.ts";
import type { UpstreamResult } from "../../envelope/read-response.ts";
import type { GatewayContext, McpRequest } from "../../request.ts";
import type { CallerResponse } from "../../sessions/questions.ts";
import { acceptsEvents } from "../answer-stream.ts";
import type { CallEnding, Forwarding } from "../call.ts";
import { HELD_MS } from "./held-call.ts";

/** A call of a legacy caller, as its rounds use it. */
export interface AskingCall {
  readonly request: McpRequest;
  readonly context: GatewayContext;
  readonly to: Forwarding;
  readonly ended: boolean;
  sendEvent(event: Buffer): void;
  /** Called about every second while there is no response. */
  waiting(now: number): void;
  /** Sends the request once more, with the members of the round. */
  sendAgain(): void;
  end(ending: CallEnding): void;
}

const MAX_ROUNDS = 16;
const MAX_REQUESTS = 16;
/** Keys are part of the ids that callers see. */
const MAX_KEY_LENGTH = 256;
/** A result without requests asks the client to come back later. */
const PACE_MS = 250;
const CHECK_MS = 1_000;

/** Whether a legacy caller can receive requests during this call. */
export function canAskCaller({ session, exchange, call }: McpRequest): boolean {
  if (!session || Object.keys(session.capabilities).length === 0) return false;
  return INPUT_REQUEST_METHODS.has(call.method) && acceptsEvents(exchange);
}

/**
 * The rounds of a call of a legacy caller to a modern upstream: each `input_required` result becomes requests on the
 * stream of the call. With the caller's responses, which any process may receive, the upstream is called again.
 */
export class InputRounds {
  readonly #call: AskingCall;
  #rounds = 0;
  #requestState: string | undefined;
  #open = new Map<string, InputRequest>();
  #responses = new Map<string, string>();
  #closeMailbox: (() => void) | undefined;
  #mailbox = "";
  #timer: Timer | undefined;
  /** JSON text of the members for the upstream. */
  members: string | undefined;

  constructor(call: AskingCall) {
    this.#call = call;
  }

  /** False if the caller cannot be asked. */
  start(message: UpstreamResult): boolean {
    const { request, context } = this.#call;
    const { session } = request;
    const input = readInputRequests(message);
    if (!session || !input || !canAskCaller(request) || !isAnswerable(input, session.capabilities)) return false;
    if (++this.#rounds > MAX_ROUNDS) {
      this.#fail(`requested input ${MAX_ROUNDS} times and did not complete the call`);
      return true;
    }
    this.#requestState = input.requestState;
    this.#responses = new Map();
    this.#open = new Map(input.requests);
    if (input.requests.size === 0) {
      this.#timer = context.clock.after(PACE_MS, () => this.#sendAgain());
      return true;
    }
    this.#openMailbox();
    const { userId, id: mcpSessionId } = session;
    for (const [key, one] of input.requests) {
      const place = { userId, mcpSessionId, serverId: this.#call.to.server.id };
      const token = context.sessions.questions.tokenOfCall({
        ...place,
        mailbox: this.#mailbox,
        key,
        round: this.#rounds,
      });
      this.#call.sendEvent(requestText(token, one, context.heldCalls.needs.newId));
    }
    this.#wait(context.clock.monotonic() + HELD_MS);
    return true;
  }

  close(): void {
    this.#timer?.cancel();
    this.#closeMailbox?.();
  }

  #openMailbox(): void {
    if (this.#closeMailbox) return;
    const { mailboxes, newId } = this.#call.context.heldCalls.needs;
    this.#mailbox = `ask-${newId()}`;
    this.#closeMailbox = mailboxes.open(this.#mailbox, (text) => this.#receive(JSON.parse(text)));
  }

  #receive({ key, round, result, error }: CallerResponse): void {
    const asked = this.#open.get(key);
    if (this.#call.ended || round !== this.#rounds || !asked) return;
    const response = result ?? (asked.method === "elicitation/create" ? '{"action":"cancel"}' : undefined);
    if (response === undefined) return this.#fail(`needs an answer that the client refused: ${error}`);
    this.#open.delete(key);
    this.#responses.set(key, response);
    if (this.#open.size === 0) this.#sendAgain();
  }

  #sendAgain(): void {
    this.#timer?.cancel();
    if (this.#call.ended) return;
    const responses = [...this.#responses].map(([key, text]) => `${JSON.stringify(key)}:${text}`);
    const state = this.#requestState === undefined ? [] : [`"requestState":${this.#requestState}`];
    const input = responses.length === 0 ? [] : [`"inputResponses":{${responses.join(",")}}`];
    this.members = [...input, ...state].join(",") || undefined;
    this.#call.sendAgain();
  }

  /** No request to the upstream is open, so the call is kept alive here. */
  #wait(deadline: number): void {
    const { clock } = this.#call.context;
    this.#timer = clock.after(CHECK_MS, () => {
      const now = clock.monotonic();
      if (this.#call.ended) return;
      if (now >= deadline) return this.#fail("requested input that the client did not provide within 10 minutes", true);
      this.#call.waiting(now);
      this.#wait(deadline);
    });
  }

  #fail(reason: string, isTimeout = false): void {
    const { request, to } = this.#call;
    const error = `Server "${to.server.slug}" ${reason}`;
    const body = [errorBody(request.call.rawId, INTERNAL_ERROR, error, { requestId: request.exchange.requestId })];
    this.#call.end({ outcome: isTimeout ? "timeout" : "error", body, error });
  }
}

function isAnswerable({ requests }: InputRequests, capabilities: ClientCapabilities): boolean {
  if (requests.size > MAX_REQUESTS) return false;
  return [...requests].every(([key, { method, params }]) => {
    return key.length <= MAX_KEY_LENGTH && acceptsQuestion(capabilities, method, params);
  });
}

/** Before 2026-07-28, an elicitation with a URL has an id. */
function requestText(token: string, { method, params }: InputRequest, newId: () => string): Buffer {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(token)},"method":${JSON.stringify(method)}`;
  if (params === undefined) return Buffer.from(`${head}}`);
  const parsed: unknown = method === "elicitation/create" ? JSON.parse(params) : undefined; // read as JSON before
  const needsId = isObject(parsed) && parsed.mode === "url" && parsed.elicitationId === undefined;
  const complete = needsId
    ? `{"elicitationId":${JSON.stringify(newId())},${params.slice(params.indexOf("{") + 1)}`
    : params;
  return Buffer.from(`${head},"params":${complete}}`);
}
