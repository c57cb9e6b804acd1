/**
 * Requests of upstreams to callers. The id that the caller sees is a sealed token that names the recipient of the
 * response, so any process can post the response, and no caller can respond for another (GW-2).
 */
import { evictOldest } from "#lib/evict-oldest";
import type { SessionSeal, UpstreamAddress } from "../session-ports.ts";

export interface Question {
  readonly userId: string;
  readonly mcpSessionId: string;
  readonly serverId: string;
  readonly from: UpstreamAddress;
  /** The upstream's id of the request, or its progress token, as JSON text. */
  readonly rawId: string;
}

/** A request that the gateway sends during a call, on behalf of a modern upstream. */
export interface CallQuestion {
  readonly userId: string;
  readonly mcpSessionId: string;
  readonly serverId: string;
  /** Where the call waits for the response. */
  readonly mailbox: string;
  readonly key: string;
  readonly round: number;
}

/** What the mailbox receives. Exactly one of `result`, as JSON text, and `error` is defined. */
export interface CallerResponse {
  readonly key: string;
  readonly round: number;
  readonly result?: string | undefined;
  readonly error?: string | undefined;
}

const MAX_ANSWERED = 10_000;
const MAX_RAW_ID_LENGTH = 256;
/** Includes URLs; valid tokens are far shorter. */
const MAX_TOKEN_LENGTH = 16_384;
/** The end of a token is the authentication tag of the seal, which is unique. */
const TAG_LENGTH = 22;

export class Questions {
  readonly #seal: SessionSeal;
  /** Authentication tags of the tokens that were answered at this process, oldest first. */
  readonly #answered = new Set<string>();

  constructor(seal: SessionSeal) {
    this.#seal = seal;
  }

  /** Undefined if the upstream's id is too long. */
  tokenOf({ userId, mcpSessionId, serverId, from, rawId }: Question): string | undefined {
    if (rawId.length > MAX_RAW_ID_LENGTH) return undefined;
    const { url, path, version, sessionId } = from;
    const fields: SealedFields = [
      userId,
      mcpSessionId,
      serverId,
      url,
      path ?? null,
      version ?? null,
      sessionId ?? null,
      rawId,
    ];
    return this.#seal.seal(JSON.stringify(fields));
  }

  tokenOfCall({ userId, mcpSessionId, serverId, mailbox, key, round }: CallQuestion): string {
    const fields: SealedCallFields = [CALL, userId, mcpSessionId, serverId, mailbox, key, round];
    return this.#seal.seal(JSON.stringify(fields));
  }

  /** Like `take`, for requests that a call waits for. */
  takeOfCall(token: string, userId: string, mcpSessionId: string): CallQuestion | undefined {
    const text = token.length > MAX_TOKEN_LENGTH ? undefined : this.#seal.open(token);
    if (text === undefined) return undefined;
    const [kind, ownUser, ownSession, serverId, mailbox, key, round] = JSON.parse(text) as SealedCallFields;
    if (kind !== CALL || ownUser !== userId || ownSession !== mcpSessionId || !this.#isFirst(token)) return undefined;
    return { userId, mcpSessionId, serverId, mailbox, key, round };
  }

  /** Undefined for an invalid token and for the token of another user or session, without a difference. */
  find(token: unknown, userId: string, mcpSessionId: string): Question | undefined {
    if (typeof token !== "string" || token.length > MAX_TOKEN_LENGTH) return undefined;
    const text = this.#seal.open(token);
    if (text === undefined) return undefined;
    const fields = JSON.parse(text) as SealedFields;
    const [ownUser, ownSession, serverId, url, path, version, sessionId, rawId] = fields;
    if (ownUser !== userId || ownSession !== mcpSessionId) return undefined;
    const from = { url, path: path ?? undefined, version: version ?? undefined, sessionId: sessionId ?? undefined };
    return { userId, mcpSessionId, serverId, from, rawId };
  }

  /** Like `find`, but only once: a request has one response. */
  take(token: unknown, userId: string, mcpSessionId: string): Question | undefined {
    const question = this.find(token, userId, mcpSessionId);
    return question && this.#isFirst(String(token)) ? question : undefined;
  }

  #isFirst(token: string): boolean {
    const tag = token.slice(-TAG_LENGTH);
    if (this.#answered.has(tag)) return false;
    this.#answered.add(tag);
    evictOldest(this.#answered, MAX_ANSWERED);
    return true;
  }
}

/** No user has this id. */
const CALL = "call";

type SealedCallFields = [
  kind: typeof CALL,
  userId: string,
  mcpSessionId: string,
  serverId: string,
  mailbox: string,
  key: string,
  round: number,
];

/** The content of the token; only `tokenOf` can seal one. */
type SealedFields = [
  userId: string,
  mcpSessionId: string,
  serverId: string,
  url: string,
  path: string | null,
  version: string | null,
  sessionId: string | null,
  rawId: string,
];
