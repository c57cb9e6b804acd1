import type { Clock, Timer } from "#lib/clock";
import { questionParts } from "../envelope/answer.ts";
import { acceptsRequest } from "../envelope/client-capabilities.ts";
import type { UpstreamNotification, UpstreamRequest } from "../envelope/read-response.ts";
import type { EventStream } from "../exchange.ts";
import type { UpstreamAddress } from "../ports.ts";
import type { Questions } from "./questions.ts";
import type { McpSession } from "./sessions.ts";

const KEEP_ALIVE_MS = 15_000;
const MOST_REMEMBERED = 100;
/** A cancellation says an id and a reason. */
const LONGEST_CANCELLATION = 16_384;

export interface AskedQuestionsNeeds {
  readonly questions: Questions;
  readonly clock: Clock;
}

/** What an upstream asks the caller on one stream: in the middle of a call, or on the session's own. */
export class AskedQuestions {
  readonly #needs: AskedQuestionsNeeds;
  readonly #session: McpSession;
  readonly #serverId: string;
  /** The tokens that stand for the upstream's ids, so that it can take a question back. */
  readonly #tokens = new Map<string, string>();
  #timer: Timer | undefined;

  constructor(needs: AskedQuestionsNeeds, session: McpSession, serverId: string) {
    this.#needs = needs;
    this.#session = session;
    this.#serverId = serverId;
  }

  /** The question as the caller hears it; undefined: the caller cannot be asked this. */
  ask(message: UpstreamRequest, from: UpstreamAddress): Buffer | undefined {
    const { capabilities, id: mcpSessionId, userId } = this.#session;
    if (!acceptsRequest(capabilities, message.method)) return undefined;
    const place = { userId, mcpSessionId, serverId: this.#serverId, from };
    const { questions } = this.#needs;
    const token = questions.tokenOf({ ...place, rawId: message.rawId });
    if (token === undefined) return undefined;
    if (this.#tokens.size < MOST_REMEMBERED) this.#tokens.set(message.rawId, token);
    return Buffer.concat(questionParts(message, token, (rawToken) => questions.tokenOf({ ...place, rawId: rawToken })));
  }

  /** While the caller thinks, nothing else may be said on the stream: proxies must see that it lives. */
  keepAlive(stream: EventStream): void {
    this.#timer ??= this.#needs.clock.after(KEEP_ALIVE_MS, () => {
      stream.comment();
      this.#timer = undefined;
      this.keepAlive(stream);
    });
  }

  /** The upstream may take a question back; undefined: nothing for the caller. */
  about(message: UpstreamNotification): Buffer[] | undefined {
    if (message.method !== "notifications/cancelled" || message.source.length > LONGEST_CANCELLATION) return undefined;
    // The scanner has found it well formed.
    const params = message.params ? JSON.parse(message.source.text(message.params)) : undefined;
    const token = this.#tokens.get(JSON.stringify(params?.requestId) ?? "");
    if (token === undefined) return undefined;
    const { method } = message;
    return [Buffer.from(JSON.stringify({ jsonrpc: "2.0", method, params: { ...params, requestId: token } }))];
  }

  close(): void {
    this.#timer?.cancel();
  }
}
