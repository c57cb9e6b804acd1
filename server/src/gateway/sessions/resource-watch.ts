import type { Clock, Timer } from "#lib/clock";
import type { UpstreamCredentials } from "../ports.ts";
import type { Era, ServerEntry } from "../snapshot/shape.ts";
import type { UpstreamListener } from "../upstream/listen/listener.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import type { McpSession } from "./sessions.ts";

/** `never`: the server lets nobody subscribe to this. */
export type Outcome = "ok" | "never" | "broken";

export interface ResourceWatchNeeds {
  readonly clock: Clock;
  readonly upstreams: Upstreams;
  readonly credentials: UpstreamCredentials;
  readonly server: ServerEntry;
  /** Whose credential is shown, where the server asks for one. */
  readonly userId: string;
  /** Of a legacy caller: what it reads and subscribes to may be this session's alone. */
  readonly session: McpSession | undefined;
  /** `asked`: the caller's address for it; undefined: it is a part of what they subscribed to. */
  readonly updated: (uri: string, asked: string | undefined) => void;
  /** It cannot go on. */
  readonly over: () => void;
}

const PATIENCE_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** What one subscriber wants to hear of one server's resources. */
export class ResourceWatch {
  readonly #needs: ResourceWatchNeeds;
  /** The server's address of each → the caller's. */
  readonly #uris = new Map<string, string>();
  #listener: UpstreamListener | undefined;
  #timer: Timer | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** One change of what is asked for after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #adding = 0;
  #closed = false;

  constructor(needs: ResourceWatchNeeds) {
    this.#needs = needs;
  }

  get size(): number {
    return this.#uris.size + this.#adding;
  }

  get isEmpty(): boolean {
    return this.size === 0;
  }

  has(uri: string): boolean {
    return this.#uris.has(uri);
  }

  get uris(): string[] {
    return [...this.#uris.keys()];
  }

  /**
   * `wanted`: the server's address of each → the caller's. A new stream takes the place of the old one when it is open,
   * so that nothing is missed between them.
   */
  add(wanted: ReadonlyMap<string, string>): Promise<Outcome> {
    this.#adding += wanted.size;
    const added = this.#turn.then(async (): Promise<Outcome> => {
      const more = [...wanted.keys()].filter((uri) => !this.#uris.has(uri));
      const outcome = more.length === 0 ? "ok" : await this.#open([...this.#uris.keys(), ...more]);
      this.#adding -= wanted.size;
      if (outcome === "ok") for (const [uri, asked] of wanted) this.#uris.set(uri, asked);
      return outcome;
    });
    this.#turn = added;
    return added;
  }

  remove(uri: string): void {
    this.#uris.delete(uri);
    this.#listener?.forget?.(uri);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#listener?.close();
  }

  #open(resources: readonly string[]): Promise<Outcome> {
    return this.#tryOpen(resources).catch((): Outcome => "broken");
  }

  async #tryOpen(resources: readonly string[]): Promise<Outcome> {
    const { server, userId, session, credentials, upstreams, clock } = this.#needs;
    const { upstream: entry } = server;
    const era = eraOf(server);
    if (!entry || era === undefined) return "never";
    const state = entry.authType === "none" ? undefined : await credentials.of(server, userId);
    if (typeof state === "string") return "broken";
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const to = { server, entry, era, resources, userId, session, credential: state };
    let listener: UpstreamListener | undefined;
    listener = upstreams.listen(to, {
      opened: () => resolve("ok"),
      changed: () => {},
      updated: (uri) => this.#listener === listener && this.#updated(uri),
      ended: (why) => {
        resolve(why);
        if (listener && this.#listener === listener) this.#reopenLater();
      },
    });
    const patience = clock.after(PATIENCE_MS, () => resolve("broken"));
    const outcome = await promise;
    patience.cancel();
    if (outcome !== "ok" || this.#closed) {
      listener.close();
      return this.#closed ? "broken" : outcome;
    }
    this.#listener?.close();
    this.#listener = listener;
    this.#pauseMs = FIRST_PAUSE_MS;
    return "ok";
  }

  /** A part of what is subscribed to may have an address of its own; what was unsubscribed is not told. */
  #updated(uri: string): void {
    const within = this.#uris.has(uri) || [...this.#uris.keys()].some((own) => uri.startsWith(own));
    if (within) this.#needs.updated(uri, this.#uris.get(uri));
  }

  #reopenLater(): void {
    this.#listener = undefined;
    if (this.#closed) return;
    this.#timer = this.#needs.clock.after(this.#pauseMs, () => {
      this.#turn = this.#turn.then(() => this.#reopen());
    });
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  /** Whoever was away may have missed something: they are told to look. */
  async #reopen(): Promise<void> {
    if (this.#closed || this.#listener) return;
    const outcome = await this.#open([...this.#uris.keys()]);
    if (outcome === "ok") for (const [uri, asked] of this.#uris) this.#needs.updated(uri, asked);
    else if (outcome === "never") this.#needs.over();
    else this.#reopenLater();
  }
}

/** Undefined: not known yet. Over a shared pipe, the era is the pipe's. */
function eraOf({ upstream }: ServerEntry): Era | undefined {
  if (upstream?.transport === "sse" || upstream?.transport === "stdio") return "legacy";
  return upstream?.eras.includes("legacy") ? "legacy" : upstream?.eras[0];
}
