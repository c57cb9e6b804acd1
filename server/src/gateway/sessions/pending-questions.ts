import { questionParts } from "../envelope/answer.ts";
import { acceptsRequest } from "../envelope/client-capabilities.ts";
import type { UpstreamNotification, UpstreamRequest } from "../envelope/read-response.ts";
import type { UpstreamAddress } from "../session-ports.ts";
import type { Questions } from "./questions.ts";
import type { McpSession } from "./sessions.ts";

const MAX_TOKENS = 100;
/** A cancellation contains an id and a reason. */
const MAX_CANCELLATION_BYTES = 16_384;

export interface PendingQuestionsNeeds {
  readonly questions: Questions;
}

/** The requests of an upstream to the caller on one stream: of a call, or of the session. */
export class PendingQuestions {
  readonly #needs: PendingQuestionsNeeds;
  readonly #session: McpSession;
  readonly #serverId: string;
  /** Our tokens by the upstream's ids, so that it can cancel a request. */
  readonly #tokens = new Map<string, string>();

  constructor(needs: PendingQuestionsNeeds, session: McpSession, serverId: string) {
    this.#needs = needs;
    this.#session = session;
    this.#serverId = serverId;
  }

  /** Returns the request for the caller. Undefined if the client does not accept it. */
  ask(message: UpstreamRequest, from: UpstreamAddress): Buffer | undefined {
    const { capabilities, id: mcpSessionId, userId } = this.#session;
    if (!acceptsRequest(capabilities, message.method)) return undefined;
    const place = { userId, mcpSessionId, serverId: this.#serverId, from };
    const { questions } = this.#needs;
    const token = questions.tokenOf({ ...place, rawId: message.rawId });
    if (token === undefined) return undefined;
    if (this.#tokens.size < MAX_TOKENS) this.#tokens.set(message.rawId, token);
    return Buffer.concat(questionParts(message, token, (rawToken) => questions.tokenOf({ ...place, rawId: rawToken })));
  }

  /** Returns the cancellation of a request for the caller. Undefined if the notification is something else. */
  about(message: UpstreamNotification): Buffer[] | undefined {
    if (message.method !== "notifications/cancelled" || message.source.length > MAX_CANCELLATION_BYTES)
      return undefined;
    // `readResponse` checked that it is well-formed.
    const params = message.params ? JSON.parse(message.source.text(message.params)) : undefined;
    const token = this.#tokens.get(JSON.stringify(params?.requestId) ?? "");
    if (token === undefined) return undefined;
    const { method } = message;
    return [Buffer.from(JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, requestId: token } }))];
  }
}
