/**
 * Questions of upstreams to callers. The id under which a caller hears one is a sealed token that says whom its answer
 * is for, so that whichever process gets the answer can post it on, and nobody can answer for another (GW-2).
 */
import { evictOldest } from "#lib/evict-oldest";
import type { SessionSeal, UpstreamAddress } from "../ports.ts";

export interface Question {
  readonly userId: string;
  readonly mcpSessionId: string;
  readonly serverId: string;
  readonly from: UpstreamAddress;
  /** The upstream's own id of it, or progress token, as JSON text. */
  readonly rawId: string;
}

const MOST_ANSWERED = 10_000;
const LONGEST_RAW_ID = 256;
/** Addresses included; our own are far shorter. */
const LONGEST_TOKEN = 16_384;
/** The end of a token is the seal's own proof: no two have the same. */
const PROOF_LENGTH = 22;

export class Questions {
  readonly #seal: SessionSeal;
  /** Proofs of the tokens that were answered at this process, the oldest first. */
  readonly #answered = new Set<string>();

  constructor(seal: SessionSeal) {
    this.#seal = seal;
  }

  /** Undefined: the upstream's own id is longer than we carry around. */
  tokenOf({ userId, mcpSessionId, serverId, from, rawId }: Question): string | undefined {
    if (rawId.length > LONGEST_RAW_ID) return undefined;
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

  /** Undefined alike for what is no token of ours and for one that another user or session was given. */
  find(token: unknown, userId: string, mcpSessionId: string): Question | undefined {
    if (typeof token !== "string" || token.length > LONGEST_TOKEN) return undefined;
    const text = this.#seal.open(token);
    if (text === undefined) return undefined;
    const fields = JSON.parse(text) as SealedFields;
    const [ownUser, ownSession, serverId, url, path, version, sessionId, rawId] = fields;
    if (ownUser !== userId || ownSession !== mcpSessionId) return undefined;
    const from = { url, path: path ?? undefined, version: version ?? undefined, sessionId: sessionId ?? undefined };
    return { userId, mcpSessionId, serverId, from, rawId };
  }

  /** The same, once: a question has one answer. */
  take(token: unknown, userId: string, mcpSessionId: string): Question | undefined {
    const question = this.find(token, userId, mcpSessionId);
    if (!question) return undefined;
    const proof = String(token).slice(-PROOF_LENGTH);
    if (this.#answered.has(proof)) return undefined;
    this.#answered.add(proof);
    evictOldest(this.#answered, MOST_ANSWERED);
    return question;
  }
}

/** What `tokenOf` sealed; nobody else can. */
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
