import type { Clock } from "#lib/clock";
import { Lru } from "#lib/lru";
import { readCapabilities } from "../../envelope/client-capabilities.ts";
import { META_CLIENT_CAPABILITIES } from "../../envelope/meta-keys.ts";
import type { McpRequest } from "../../mcp-request.ts";
import type { Replicas, SessionSeal } from "../../session-ports.ts";
import type { ReplicaMailboxes } from "../../sessions/replica-mailboxes.ts";
import type { SnapshotHolder } from "../../snapshot/holder.ts";
import type { ResponseMemory } from "../../upstream/limits/response-memory.ts";
import type { QuestionRecipient } from "../../upstream/sessions/upstream-session.ts";
import type { Upstreams } from "../../upstream/upstreams.ts";
import { currentServer } from "./current-server.ts";
import { HeldCall, type SuspendableCall } from "./held-call.ts";
import { receiveForwarded } from "./receive-forwarded.ts";
import { ALREADY_ANSWERED, endedMessage, NOT_HELD } from "./retry-errors.ts";
import { mailboxOf, tokenOf } from "./retry-token.ts";

export interface HeldCallsNeeds {
  readonly clock: Clock;
  readonly holder: SnapshotHolder;
  readonly seal: SessionSeal;
  /** Returns at least 128 random bits as text. */
  readonly newId: () => string;
  readonly mailboxes: ReplicaMailboxes;
  readonly upstreams: Pick<Upstreams, "post">;
  readonly responseMemory: ResponseMemory;
  /** JSON text. */
  readonly serverInfoJson: string;
  /** Undefined if there are no other processes. */
  readonly replicas: Replicas | undefined;
}

const MAX_PER_USER = 16;
const MAX_TOTAL = 1_000;
/** Calls that have ended, with the text for callers that come back. */
const MAX_ENDED = 1_000;
const MAX_CACHED = 1_000;
/** Of the capabilities; longer ones cost a parse for each call. */
const MAX_CACHED_LENGTH = 1_024;

const REVOKED = "You no longer have access to the tool, or its server has changed";

/** Calls that wait for answers of modern callers, at this process. */
export class HeldCalls {
  readonly needs: HeldCallsNeeds;
  readonly #calls = new Map<string, HeldCall>();
  readonly #perUser = new Map<string, number>();
  readonly #ended = new Lru<string>(MAX_ENDED);
  /** By the text that callers declare. */
  readonly #capabilities = new Lru<QuestionRecipient>(MAX_CACHED);

  constructor(needs: HeldCallsNeeds) {
    this.needs = needs;
    needs.holder.onSwap(() => this.#endRevoked());
    const { replicas, mailboxes } = needs;
    if (replicas) mailboxes.open(mailboxOf(replicas.id), (text) => receiveForwarded(text, this, needs));
  }

  /** Undefined if the caller declared no capability that lets servers send requests. */
  recipientOf({ call, principal }: McpRequest): QuestionRecipient | undefined {
    const declared = call.params?.meta?.members.get(META_CLIENT_CAPABILITIES);
    if (!declared || declared.end - declared.start <= "{}".length) return undefined;
    const found = this.#capabilitiesIn(call.source.text(declared));
    return found && { key: `${principal.clientId} ${found.key}`, capabilities: found.capabilities };
  }

  /** Returns why the call cannot be held, as text for the caller, if it cannot. */
  hold(call: SuspendableCall, recipient: QuestionRecipient): HeldCall | string {
    const { userId } = call.request.principal;
    const held = this.#perUser.get(userId) ?? 0;
    if (held >= MAX_PER_USER) return `Too many of your calls wait for your answers (${held}); answer them first`;
    if (this.#calls.size >= MAX_TOTAL) return "Too many calls wait for answers of their callers; try again later";
    const id = this.needs.newId();
    const one = new HeldCall(call, recipient, {
      ...this.needs,
      id,
      tokenOf: (of, round) => tokenOf(this.needs, id, round, of),
      closed: (reason) => this.#remove(id, userId, reason),
    });
    this.#calls.set(id, one);
    this.#perUser.set(userId, held + 1);
    return one;
  }

  /** Returns why a round cannot be answered, as text for the caller, if it cannot. */
  find(id: string, round: number): HeldCall | string {
    const held = this.#calls.get(id);
    if (held) return held.isOpen(round) ? held : ALREADY_ANSWERED;
    return this.#ended.get(id) ?? NOT_HELD;
  }

  /** The call, whether it is suspended or not. */
  get(id: string): HeldCall | undefined {
    return this.#calls.get(id);
  }

  #remove(id: string, userId: string, reason: string | undefined): void {
    if (!this.#calls.delete(id)) return;
    this.#ended.set(id, reason === undefined ? ALREADY_ANSWERED : endedMessage(reason));
    const left = (this.#perUser.get(userId) ?? 1) - 1;
    if (left > 0) this.#perUser.set(userId, left);
    else this.#perUser.delete(userId);
  }

  #capabilitiesIn(text: string): QuestionRecipient | undefined {
    const cached = this.#capabilities.get(text);
    if (cached) return cached;
    const capabilities = readCapabilities(JSON.parse(text)); // the era check verified that it is an object
    if (Object.keys(capabilities).length === 0) return undefined;
    const found = { key: JSON.stringify(capabilities), capabilities };
    if (text.length <= MAX_CACHED_LENGTH) this.#capabilities.set(text, found);
    return found;
  }

  /** A caller that lost access cannot continue its calls, so their upstreams need not wait. */
  #endRevoked(): void {
    for (const { call, isSuspended } of this.#calls.values()) {
      if (isSuspended && !currentServer(this.needs.holder, call.request, call.to)) call.endSuspended(REVOKED);
    }
  }
}
