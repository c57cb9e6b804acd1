import type { Clock, Timer } from "#lib/clock";
import type { UpstreamCredentials } from "../ports.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { UpstreamListener } from "../upstream/listen/listener.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import { listeningEra } from "./listener-era.ts";
import type { McpSession } from "./sessions.ts";

/** `never`: the server does not accept subscriptions to it. */
export type Outcome = "ok" | "never" | "broken";

export interface ResourceWatchNeeds {
  readonly clock: Clock;
  readonly upstreams: Upstreams;
  readonly credentials: UpstreamCredentials;
  readonly server: ServerEntry;
  /** The user whose credential is used, if the server needs one. */
  readonly userId: string;
  /** Of a legacy caller: resources and subscriptions may belong to this session only. */
  readonly session: McpSession | undefined;
  /** `asked` is the caller's URI; undefined if it is below a subscribed resource. */
  readonly updated: (uri: string, asked: string | undefined) => void;
  /** The server no longer accepts the subscriptions. */
  readonly over: () => void;
}

const OPEN_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** The subscriptions of one subscriber to resources of one server. */
export class ResourceWatch {
  readonly #needs: ResourceWatchNeeds;
  /** The caller's URIs by the server's. */
  readonly #uris = new Map<string, string>();
  #listener: UpstreamListener | undefined;
  #timer: Timer | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** Changes are made in sequence. */
  #lastChange: Promise<unknown> = Promise.resolve();
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
   * `wanted` maps the server's URIs to the caller's. A new stream replaces the old one only when it is open, so that
   * nothing is missed.
   */
  add(wanted: ReadonlyMap<string, string>): Promise<Outcome> {
    this.#adding += wanted.size;
    const added = this.#lastChange.then(async (): Promise<Outcome> => {
      const more = [...wanted.keys()].filter((uri) => !this.#uris.has(uri));
      const outcome = more.length === 0 ? "ok" : await this.#open([...this.#uris.keys(), ...more]);
      this.#adding -= wanted.size;
      if (outcome === "ok") for (const [uri, asked] of wanted) this.#uris.set(uri, asked);
      return outcome;
    });
    this.#lastChange = added;
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
    const era = listeningEra(server, "legacy");
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
    const timeout = clock.after(OPEN_MS, () => resolve("broken"));
    const outcome = await promise;
    timeout.cancel();
    if (outcome !== "ok" || this.#closed) {
      listener.close();
      return this.#closed ? "broken" : outcome;
    }
    this.#listener?.close();
    this.#listener = listener;
    this.#pauseMs = FIRST_PAUSE_MS;
    return "ok";
  }

  /** Also for resources below a subscribed one. Updates of unsubscribed resources are dropped. */
  #updated(uri: string): void {
    const within = this.#uris.has(uri) || [...this.#uris.keys()].some((own) => uri.startsWith(own));
    if (within) this.#needs.updated(uri, this.#uris.get(uri));
  }

  #reopenLater(): void {
    this.#listener = undefined;
    if (this.#closed) return;
    this.#timer = this.#needs.clock.after(this.#pauseMs, () => {
      this.#lastChange = this.#lastChange.then(() => this.#reopen());
    });
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
  }

  /** Reports all resources as updated, because updates may have been missed. */
  async #reopen(): Promise<void> {
    if (this.#closed || this.#listener) return;
    const outcome = await this.#open([...this.#uris.keys()]);
    if (outcome === "ok") for (const [uri, asked] of this.#uris) this.#needs.updated(uri, asked);
    else if (outcome === "never") this.#needs.over();
    else this.#reopenLater();
  }
}
