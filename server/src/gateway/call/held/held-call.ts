import type { Clock, Timer } from "#lib/clock";
import { acceptsQuestion } from "../../envelope/client-capabilities.ts";
import { INPUT_REQUEST_METHODS, type InputRequest, inputRequiredBody } from "../../envelope/input-required.ts";
import type { UpstreamNotification, UpstreamRequest } from "../../envelope/read-response.ts";
import type { McpRequest } from "../../mcp-request.ts";
import type { UpstreamAddress } from "../../session-ports.ts";
import type { SnapshotHolder } from "../../snapshot/holder.ts";
import { type ResponseLease, type ResponseMemory, UNCOUNTED_BYTES } from "../../upstream/limits/response-memory.ts";
import type { QuestionRecipient } from "../../upstream/sessions/upstream-session.ts";
import type { Upstreams } from "../../upstream/upstreams.ts";
import type { CallCount } from "../call-limiter.ts";
import type { Forwarding } from "../forwarding.ts";

/** A call that a modern caller can continue with another request. */
export interface SuspendableCall {
  readonly request: McpRequest;
  readonly to: Forwarding;
  readonly ended: boolean;
  /** Answers the caller's request and keeps the upstream call open. */
  suspend(body: Buffer): void;
  /** The caller's next request takes the place of the answered one. `userCalls`: counted for it, if at this process. */
  resume(request: McpRequest, userCalls: CallCount | undefined): void;
  /** Answers the caller with an error, because the call cannot be held. */
  refuse(error: string): void;
  /** Ends the call while no request of the caller is open. */
  endSuspended(error: string): void;
}

export interface HeldCallNeeds {
  readonly id: string;
  readonly clock: Clock;
  /** The `requestState` of a round. */
  readonly tokenOf: (call: SuspendableCall, round: number) => string;
  readonly upstreams: Pick<Upstreams, "post">;
  readonly holder: SnapshotHolder;
  readonly responseMemory: ResponseMemory;
  /** JSON text. */
  readonly serverInfoJson: string;
  /** The call ended; with a reason, before the caller came back. */
  readonly closed: (reason: string | undefined) => void;
}

interface OpenQuestion extends InputRequest {
  readonly rawId: string;
  readonly from: UpstreamAddress;
}

/** Servers often send several requests together; they become one result. */
const COMBINE_MS = 10;
/** How long a caller may take to answer. The total limit of the server's calls applies too. */
export const HELD_MS = 10 * 60_000;
const MAX_QUESTIONS = 16;
const MAX_QUESTION_BYTES = 4 * 1024 * 1024;
const MAX_RAW_ID_LENGTH = 256;
/** A cancellation contains an id and a reason. */
const MAX_CANCELLATION_BYTES = 16_384;

const NO_MEMORY = "Too many large calls wait for answers of their callers; try again later";
const NOT_CONTINUED = "The caller did not answer the server's questions within 10 minutes";

/**
 * A call of a modern caller to a legacy upstream that has requested input. The caller gets the requests as an
 * `input_required` result; the upstream call stays open until the caller sends the responses with its next request.
 */
export class HeldCall {
  readonly id: string;
  readonly call: SuspendableCall;
  readonly #needs: HeldCallNeeds;
  readonly #recipient: QuestionRecipient;
  /** By the keys of the current round. */
  #asked = new Map<string, OpenQuestion>();
  #next: OpenQuestion[] = [];
  #bytes = 0;
  #round = 0;
  #suspended = false;
  #timer: Timer | undefined;
  /** For the caller's request and the questions, which would otherwise be released with the request. */
  #memory: ResponseLease | undefined;
  /** Delivers the response that arrived while the call was suspended. */
  #late: (() => void) | undefined;

  constructor(call: SuspendableCall, recipient: QuestionRecipient, needs: HeldCallNeeds) {
    this.id = needs.id;
    this.call = call;
    this.#recipient = recipient;
    this.#needs = needs;
  }

  get isSuspended(): boolean {
    return this.#suspended;
  }

  /** Whether the round waits for its answers: each can be answered once. */
  isOpen(round: number): boolean {
    return this.#suspended && round === this.#round;
  }

  /** False if the caller cannot answer it. */
  ask({ method, rawId, params, source }: UpstreamRequest, from: UpstreamAddress): boolean {
    const bytes = params ? params.end - params.start : 0;
    const isTooMuch = this.#asked.size + this.#next.length >= MAX_QUESTIONS || this.#bytes + bytes > MAX_QUESTION_BYTES;
    if (isTooMuch || rawId.length > MAX_RAW_ID_LENGTH) return false;
    const text = params && source.text(params);
    if (!acceptsQuestion(this.#recipient.capabilities, method, text)) return false;
    this.#bytes += bytes;
    this.#next.push({ method, rawId, params: text, from });
    if (!this.#suspended) this.#askSoon();
    return true;
  }

  /** The upstream no longer needs an answer. */
  withdrawn({ source, params }: UpstreamNotification): void {
    if (!params || source.length > MAX_CANCELLATION_BYTES) return;
    const { requestId } = JSON.parse(source.text(params)); // the reader has found an object
    const rawId = JSON.stringify(requestId);
    this.#next = this.#next.filter((question) => question.rawId !== rawId);
    for (const [key, question] of this.#asked) if (question.rawId === rawId) this.#asked.delete(key);
  }

  /** True if the response waits for the caller's next request. */
  keepUntilContinued(deliver: () => void): boolean {
    if (this.#suspended) this.#late ??= deliver;
    return this.#suspended;
  }

  /** `responses` are JSON texts by the keys of the round. Requests without a response are sent again. */
  continueWith(request: McpRequest, responses: ReadonlyMap<string, string>, userCalls: CallCount | undefined): void {
    const asked = this.#asked;
    this.#asked = new Map();
    this.#suspended = false;
    this.#timer?.cancel();
    this.#memory?.release();
    this.call.resume(request, userCalls);
    if (this.call.ended) return;
    if (this.#late) return this.#late();
    for (const [key, question] of asked) {
      const response = responses.get(key);
      if (response === undefined) this.#next.push(question);
      else this.#post(question, response);
    }
    if (this.#next.length > 0) this.#askSoon();
  }

  /** `reason`: for a caller that comes back, if the call ended before. */
  close(reason: string | undefined): void {
    this.#timer?.cancel();
    this.#memory?.release();
    this.#suspended = false;
    this.#needs.closed(reason);
  }

  #post({ rawId, from, params }: OpenQuestion, response: string): void {
    this.#bytes -= params?.length ?? 0;
    const { to, request } = this.call;
    const server = this.#needs.holder.current().serversById.get(to.server.id);
    const body = Buffer.from(`{"jsonrpc":"2.0","id":${rawId},"result":${response}}`);
    if (server) void this.#needs.upstreams.post(server, request.principal.userId, from, body);
  }

  #keepInMemory(): boolean {
    const { principal, call } = this.call.request;
    const bytes = call.source.length + this.#bytes;
    if (bytes <= UNCOUNTED_BYTES) return true;
    this.#memory = this.#needs.responseMemory.lease(principal.userId);
    return this.#memory.grow(bytes);
  }

  #askSoon(): void {
    this.#timer?.cancel();
    this.#timer = this.#needs.clock.after(COMBINE_MS, () => this.#suspend());
  }

  #suspend(): void {
    const { call } = this;
    if (call.ended || this.#next.length === 0) return;
    this.#asked = new Map(this.#next.map((question, at) => [`question-${at + 1}`, question]));
    this.#next = [];
    if (!this.#keepInMemory()) return call.refuse(NO_MEMORY);
    this.#round++;
    this.#suspended = true;
    const token = this.#needs.tokenOf(call, this.#round);
    this.#timer = this.#needs.clock.after(HELD_MS, () => call.endSuspended(NOT_CONTINUED));
    call.suspend(inputRequiredBody(call.request.call.rawId, this.#asked, token, this.#needs.serverInfoJson));
  }
}

export function canHold({ method }: Forwarding): boolean {
  return INPUT_REQUEST_METHODS.has(method);
}
