/**
 * Requests of upstreams to callers. The id that the caller sees is a sealed token that names the recipient of the
 * response, so any process can post the response, and no caller can respond for another (GW-2).
 */
import { evictOldest } from "#lib/evict-oldest";
import type { SessionSeal, UpstreamAddress } from "../ports.ts";

export interface Question {
  readonly userId: string;
  readonly mcpSessionId: string;
  readonly serverId: string;
  readonly from: UpstreamAddress;
  /** The upstream's id of the request, or its progress token, as JSON text. */
  readonly rawId: string;
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
    if (!question) return undefined;
    const tag = String(token).slice(-TAG_LENGTH);
    if (this.#answered.has(tag)) return undefined;
    this.#answered.add(tag);
    evictOldest(this.#answered, MAX_ANSWERED);
    return question;
  }
}

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
