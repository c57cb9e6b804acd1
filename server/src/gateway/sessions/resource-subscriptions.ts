/**
 * What callers in a legacy session want to hear of single resources. For each session and server one upstream stream is
 * held that names them all; it ends when the caller's own stream has been gone for a while. It lies in this process.
 */
import type { Clock, Timer } from "#lib/clock";
import type { UpstreamCredentials } from "../ports.ts";
import type { Principal } from "../snapshot/authenticate.ts";
import type { FoundResource } from "../snapshot/resources.ts";
import type { Scope } from "../snapshot/scope.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import { type Outcome, ResourceWatch } from "./resource-watch.ts";
import type { McpSession } from "./sessions.ts";

export interface ResourceSubscriptionsNeeds {
  readonly clock: Clock;
  readonly upstreams: Upstreams;
  readonly credentials: UpstreamCredentials;
  /** Whether the session's own stream is open here. */
  readonly isListening: (session: McpSession) => boolean;
  readonly tell: (subscriber: Subscriber, update: ResourceUpdate) => void;
}

export interface ResourceUpdate {
  readonly server: ServerEntry;
  /** The server's address. */
  readonly uri: string;
  /** The caller's; undefined: it is a part of what they subscribed to. */
  readonly asked: string | undefined;
}

export interface Subscriber {
  readonly session: McpSession;
  readonly principal: Principal;
  readonly scope: Scope;
}

export const MOST_SUBSCRIPTIONS_PER_USER = 64;
const LOOK_MS = 30_000;

export class ResourceSubscriptions {
  readonly #needs: ResourceSubscriptionsNeeds;
  readonly #watches = new Map<string, ResourceWatch>();
  /** Those whose session had no stream at the last look. */
  readonly #unheard = new Set<string>();
  #timer: Timer | undefined;
  #closed = false;

  constructor(needs: ResourceSubscriptionsNeeds) {
    this.#needs = needs;
  }

  async subscribe(
    subscriber: Subscriber,
    { server, uri }: FoundResource,
    asked: string,
  ): Promise<Outcome | "too-many"> {
    const { userId } = subscriber.principal;
    const key = keyOf(subscriber.session, server);
    const known = this.#watches.get(key);
    if (!known?.has(uri) && this.#countOf(userId) >= MOST_SUBSCRIPTIONS_PER_USER) return "too-many";
    if (this.#closed) return "broken";
    const watch = known ?? this.#newWatch(key, subscriber, server);
    const outcome = await watch.add(uri, asked);
    if (watch.isEmpty) this.#drop(key);
    return outcome;
  }

  unsubscribe(session: McpSession, { server, uri }: FoundResource): void {
    const key = keyOf(session, server);
    const watch = this.#watches.get(key);
    watch?.remove(uri);
    if (watch?.isEmpty) this.#drop(key);
  }

  endSession({ id }: Pick<McpSession, "id">): void {
    for (const [key, { session }] of this.#watches) if (session.id === id) this.#drop(key);
  }

  close(): void {
    this.#closed = true;
    for (const key of [...this.#watches.keys()]) this.#drop(key);
  }

  #newWatch(key: string, subscriber: Subscriber, server: ServerEntry): ResourceWatch {
    const { clock, upstreams, credentials, tell } = this.#needs;
    const watch: ResourceWatch = new ResourceWatch({
      clock,
      upstreams,
      credentials,
      server,
      session: subscriber.session,
      updated: (uri, asked) => tell(subscriber, { server, uri, asked }),
      over: () => this.#watches.get(key) === watch && this.#drop(key),
    });
    this.#watches.set(key, watch);
    this.#timer ??= clock.after(LOOK_MS, () => this.#look());
    return watch;
  }

  /** Subscriptions end with the stream on which they would be heard; who lost it may come back until the next look. */
  #look(): void {
    for (const [key, { session }] of this.#watches) {
      if (this.#needs.isListening(session)) this.#unheard.delete(key);
      else if (this.#unheard.has(key)) this.#drop(key);
      else this.#unheard.add(key);
    }
    this.#timer = this.#watches.size > 0 ? this.#needs.clock.after(LOOK_MS, () => this.#look()) : undefined;
  }

  #countOf(userId: string): number {
    let count = 0;
    for (const watch of this.#watches.values()) if (watch.session.userId === userId) count += watch.size;
    return count;
  }

  #drop(key: string): void {
    this.#watches.get(key)?.close();
    this.#watches.delete(key);
    this.#unheard.delete(key);
    if (this.#watches.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}

function keyOf(session: McpSession, server: ServerEntry): string {
  return `${session.id} ${server.id}`;
}
