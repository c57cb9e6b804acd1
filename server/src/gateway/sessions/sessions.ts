/**
 * MCP sessions of legacy clients. A session id is a sealed token that contains the whole session, so nothing is stored,
 * every replica can read it, and a restart loses none. It is no proof of identity: each request carries a credential, and
 * a session is valid only for the user who opened it (GW-1).
 */
import { evictOldest } from "#lib/evict-oldest";
import type { ClientCapabilities } from "../envelope/client-capabilities.ts";
import type { SessionSeal } from "../session-ports.ts";

export interface McpSession {
  readonly id: string;
  readonly userId: string;
  /** The negotiated legacy version. */
  readonly version: string;
  readonly capabilities: ClientCapabilities;
}

export interface SessionsNeeds {
  readonly seal: SessionSeal;
  /** Returns at least 128 random bits as text. */
  readonly newSessionId: () => string;
}

const MAX_CACHED = 10_000;
const MAX_ENDED = 100_000;
/** Valid tokens are far shorter. */
const MAX_TOKEN_LENGTH = 2_048;

export class Sessions {
  readonly #needs: SessionsNeeds;
  /** Opened sessions by token, so that the next request costs a lookup instead of a decryption. */
  readonly #opened = new Map<string, McpSession>();
  /** Ids of sessions that were ended at any process, oldest first. */
  readonly #ended = new Set<string>();

  constructor(needs: SessionsNeeds) {
    this.#needs = needs;
  }

  /** Returns the token of a new session. */
  begin(session: Omit<McpSession, "id">): string {
    const { userId, version, capabilities } = session;
    return this.#needs.seal.seal(JSON.stringify([this.#needs.newSessionId(), userId, version, capabilities]));
  }

  /** Undefined for a token that is forged, belongs to another user, or was ended, without a difference (GW-1). */
  find(token: string, userId: string): McpSession | undefined {
    const session = this.#opened.get(token) ?? this.#open(token);
    return session && session.userId === userId && !this.#ended.has(session.id) ? session : undefined;
  }

  /** False if it was already ended. */
  end({ id }: Pick<McpSession, "id">): boolean {
    if (this.#ended.has(id)) return false;
    this.#ended.add(id);
    evictOldest(this.#ended, MAX_ENDED);
    return true;
  }

  #open(token: string): McpSession | undefined {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const text = this.#needs.seal.open(token);
    if (text === undefined) return undefined;
    const [id, userId, version, capabilities] = JSON.parse(text) as SealedFields;
    const session = { id, userId, version, capabilities };
    if (this.#opened.size >= MAX_CACHED) this.#opened.clear();
    this.#opened.set(token, session);
    return session;
  }
}

/** The content of the token; only `begin` can seal one. */
type SealedFields = [id: string, userId: string, version: string, capabilities: ClientCapabilities];
