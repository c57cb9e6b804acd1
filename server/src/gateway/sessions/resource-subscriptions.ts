/**
 * The resource subscriptions of callers at this process. For each caller and server, one upstream stream covers all
 * subscribed resources; it is closed when the caller has not listened for a while.
 */
import type { Clock, Timer } from "#lib/clock";
import type { UpstreamCredentials } from "../ports.ts";
import type { Principal } from "../snapshot/authenticate.ts";
import type { ServerResource } from "../snapshot/resources.ts";
import type { Scope } from "../snapshot/scope.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { Upstreams } from "../upstream/upstreams.ts";
import { type Outcome, ResourceWatch } from "./resource-watch.ts";
import type { McpSession } from "./sessions.ts";

export interface ResourceSubscriptionsNeeds {
  readonly clock: Clock;
  readonly upstreams: Upstreams;
  readonly credentials: UpstreamCredentials;
  readonly notify: (subscriber: Subscriber, update: ResourceUpdate) => void;
}

/** A subscriber: a legacy session, or the stream of a modern client. */
export interface Subscriber {
  /** The id of the session or of the stream. */
  readonly id: string;
  readonly principal: Principal;
  readonly scope: Scope;
  /** Undefined for a modern client. */
  readonly session: McpSession | undefined;
  /** False if the stream of the session is closed or at another process. */
  isListening(): boolean;
  /** With the caller's URI. */
  updated(uri: string): void;
}

export interface ResourceUpdate {
  readonly server: ServerEntry;
  /** The server's URI. */
  readonly uri: string;
  /** The caller's URI; undefined if it is below a subscribed resource. */
  readonly asked: string | undefined;
}

interface ActiveWatch {
  readonly subscriber: Subscriber;
  readonly server: ServerEntry;
  readonly watch: ResourceWatch;
  /** The server's URIs of resources that changed while the subscriber did not listen. */
  readonly missed: Set<string>;
  /** When the caller was notified last, by the server's URI. */
  readonly notifiedAt: Map<string, number>;
}

export const MAX_SUBSCRIPTIONS_PER_USER = 64;
/** URIs stay in memory as long as the subscription. */
export const MAX_SUBSCRIBED_URI = 2_048;
const CHECK_MS = 30_000;
/** Notifications on a stream that is about to break may not arrive. */
const DOUBTFUL_MS = 60_000;

export class ResourceSubscriptions {
  readonly #needs: ResourceSubscriptionsNeeds;
  readonly #held = new Map<string, ActiveWatch>();
  /** Watches whose subscriber did not listen at the last check. */
  readonly #idle = new Set<string>();
  #timer: Timer | undefined;
  #closed = false;

  constructor(needs: ResourceSubscriptionsNeeds) {
    this.#needs = needs;
  }

  subscribe(subscriber: Subscriber, { server, uri }: ServerResource, asked: string): Promise<Outcome | "too-many"> {
    return this.#add(subscriber, server, new Map([[uri, asked]]));
  }

  /** Resolves to the accepted URIs of the caller. The resources of a server are tried together, then one by one. */
  async subscribeAll(subscriber: Subscriber, wanted: ReadonlyMap<string, ServerResource>): Promise<string[]> {
    const granted: string[] = [];
    const byServer = Map.groupBy(wanted, ([, { server }]) => server);
    const ofServer = async ([server, resources]: [ServerEntry, [string, ServerResource][]]) => {
      const all = new Map(resources.map(([asked, { uri }]) => [uri, asked]));
      const outcome = await this.#add(subscriber, server, all);
      if (outcome === "ok") granted.push(...all.values());
      if (outcome === "ok" || outcome === "broken" || all.size === 1) return;
      for (const [asked, found] of resources) {
        if (!subscriber.isListening()) return;
        if ((await this.subscribe(subscriber, found, asked)) === "ok") granted.push(asked);
      }
    };
    await Promise.all([...byServer].map(ofServer));
    return granted;
  }

  unsubscribe({ id }: Pick<Subscriber, "id">, { server, uri }: Pick<ServerResource, "server" | "uri">): void {
    const key = keyOf(id, server);
    const watch = this.#held.get(key)?.watch;
    watch?.remove(uri);
    if (watch?.isEmpty) this.#drop(key);
  }

  /** The subscriptions of a subscriber. */
  of({ id }: Pick<Subscriber, "id">): Pick<ServerResource, "server" | "uri">[] {
    return [...this.#held.values()].flatMap(({ subscriber, server, watch }) =>
      subscriber.id === id ? watch.uris.map((uri) => ({ server, uri })) : [],
    );
  }

  /** The ids of all subscribers. */
  subscriberIds(): Set<string> {
    return new Set(Array.from(this.#held.values(), ({ subscriber }) => subscriber.id));
  }

  /** Notifies the caller of a possible change, now or when it listens here again. */
  mayHaveChanged(
    { id }: Pick<Subscriber, "id">,
    { server, uri }: Pick<ServerResource, "server" | "uri">,
    asked: string,
  ): void {
    const held = this.#held.get(keyOf(id, server));
    if (held) this.#updated(held, uri, asked);
  }

  /** The caller listens here again. Returns whether it missed a change. */
  takeMissed({ id }: Pick<Subscriber, "id">, { server, uri }: Pick<ServerResource, "server" | "uri">): boolean {
    return this.#held.get(keyOf(id, server))?.missed.delete(uri) ?? false;
  }

  /** Whether the caller, who now listens at another process, may have missed a change. */
  mayHaveMissed({ id }: Pick<Subscriber, "id">, { server, uri }: Pick<ServerResource, "server" | "uri">): boolean {
    const held = this.#held.get(keyOf(id, server));
    const notifiedAt = held?.notifiedAt.get(uri) ?? Number.NEGATIVE_INFINITY;
    return held?.missed.has(uri) || this.#needs.clock.monotonic() - notifiedAt < DOUBTFUL_MS;
  }

  end({ id }: Pick<Subscriber, "id">): void {
    for (const [key, { subscriber }] of this.#held) if (subscriber.id === id) this.#drop(key);
  }

  close(): void {
    this.#closed = true;
    for (const key of [...this.#held.keys()]) this.#drop(key);
  }

  /** `wanted` maps the server's URIs to the caller's. Adds all or none. */
  async #add(
    subscriber: Subscriber,
    server: ServerEntry,
    wanted: ReadonlyMap<string, string>,
  ): Promise<Outcome | "too-many"> {
    const key = keyOf(subscriber.id, server);
    const known = this.#held.get(key)?.watch;
    const more = [...wanted.keys()].filter((uri) => !known?.has(uri)).length;
    if (more > 0 && this.#countOf(subscriber.principal.userId) + more > MAX_SUBSCRIPTIONS_PER_USER) return "too-many";
    if (this.#closed) return "broken";
    const watch = known ?? this.#newWatch(key, subscriber, server);
    const outcome = await watch.add(wanted);
    if (watch.isEmpty && this.#held.get(key)?.watch === watch) this.#drop(key);
    return outcome;
  }

  #newWatch(key: string, subscriber: Subscriber, server: ServerEntry): ResourceWatch {
    const { clock, upstreams, credentials } = this.#needs;
    const watch: ResourceWatch = new ResourceWatch({
      clock,
      upstreams,
      credentials,
      server,
      userId: subscriber.principal.userId,
      session: subscriber.session,
      updated: (uri, asked) => this.#updated(held, uri, asked),
      over: () => this.#held.get(key)?.watch === watch && this.#drop(key),
    });
    const held: ActiveWatch = { subscriber, server, watch, missed: new Set(), notifiedAt: new Map() };
    this.#held.set(key, held);
    this.#timer ??= clock.after(CHECK_MS, () => this.#check());
    return watch;
  }

  #updated(
    { subscriber, server, watch, missed, notifiedAt }: ActiveWatch,
    uri: string,
    asked: string | undefined,
  ): void {
    // A change below a subscribed resource counts for that resource.
    const of = asked === undefined ? watch.uris.filter((own) => uri.startsWith(own)) : [uri];
    if (!subscriber.isListening()) for (const own of of) missed.add(own);
    else {
      for (const own of of) notifiedAt.set(own, this.#needs.clock.monotonic());
      this.#needs.notify(subscriber, { server, uri, asked });
    }
  }

  /** Closes watches whose subscriber has not listened since the last check. */
  #check(): void {
    for (const [key, { subscriber }] of this.#held) {
      if (subscriber.isListening()) this.#idle.delete(key);
      else if (this.#idle.has(key)) this.#drop(key);
      else this.#idle.add(key);
    }
    this.#timer = this.#held.size > 0 ? this.#needs.clock.after(CHECK_MS, () => this.#check()) : undefined;
  }

  #countOf(userId: string): number {
    let count = 0;
    for (const { subscriber, watch } of this.#held.values())
      if (subscriber.principal.userId === userId) count += watch.size;
    return count;
  }

  #drop(key: string): void {
    this.#held.get(key)?.watch.close();
    this.#held.delete(key);
    this.#idle.delete(key);
    if (this.#held.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}

function keyOf(subscriberId: string, server: ServerEntry): string {
  return `${subscriberId} ${server.id}`;
}
