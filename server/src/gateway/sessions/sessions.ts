/**
 * Mcp sessions of legacy clients. A session id is a sealed token that holds all there is to know, so that nothing is
 * stored, every replica understands it, and a restart loses none. It proves nothing: each request carries its own
 * credential, and a session counts only for the user who opened it (GW-1).
 */
import { evictOldest } from "#lib/evict-oldest";
import type { ClientCapabilities } from "../envelope/client-capabilities.ts";
import type { SessionSeal } from "../ports.ts";

export interface McpSession {
  readonly id: string;
  readonly userId: string;
  /** The legacy version that was settled. */
  readonly version: string;
  readonly capabilities: ClientCapabilities;
}

export interface SessionsNeeds {
  readonly seal: SessionSeal;
  /** 128 random bits or more, as text. */
  readonly newSessionId: () => string;
}

const MOST_OPENED = 10_000;
const MOST_ENDED = 100_000;
/** Our own are far shorter. */
const LONGEST_TOKEN = 2_048;

export class Sessions {
  readonly #needs: SessionsNeeds;
  /** What tokens were opened to, so that a session's next request costs a lookup instead of a decryption. */
  readonly #opened = new Map<string, McpSession>();
  /** Ids that were ended, here or elsewhere, the oldest first. */
  readonly #ended = new Set<string>();

  constructor(needs: SessionsNeeds) {
    this.#needs = needs;
  }

  /** The token of a new session. */
  begin(session: Omit<McpSession, "id">): string {
    const { userId, version, capabilities } = session;
    return this.#needs.seal.seal(JSON.stringify([this.#needs.newSessionId(), userId, version, capabilities]));
  }

  /** Undefined alike for a token that is forged, somebody else's or ended (GW-1). */
  find(token: string, userId: string): McpSession | undefined {
    const session = this.#opened.get(token) ?? this.#open(token);
    return session && session.userId === userId && !this.#ended.has(session.id) ? session : undefined;
  }

  /** False: it was before. */
  end({ id }: Pick<McpSession, "id">): boolean {
    if (this.#ended.has(id)) return false;
    this.#ended.add(id);
    evictOldest(this.#ended, MOST_ENDED);
    return true;
  }

  #open(token: string): McpSession | undefined {
    if (token.length > LONGEST_TOKEN) return undefined;
    const text = this.#needs.seal.open(token);
    if (text === undefined) return undefined;
    const [id, userId, version, capabilities] = JSON.parse(text) as SealedFields;
    const session = { id, userId, version, capabilities };
    if (this.#opened.size >= MOST_OPENED) this.#opened.clear();
    this.#opened.set(token, session);
    return session;
  }
}

/** What `begin` sealed; nobody else can. */
type SealedFields = [id: string, userId: string, version: string, capabilities: ClientCapabilities];
