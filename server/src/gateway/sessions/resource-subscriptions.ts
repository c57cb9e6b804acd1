/**
 * What callers want to hear of single resources. For each of them and each server one upstream stream is held that names
 * all they want; it ends when nobody has heard it for a while. It lies in this process.
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
  readonly tell: (subscriber: Subscriber, update: ResourceUpdate) => void;
}

/** Who wants to hear: a legacy session, or the stream of a modern client. */
export interface Subscriber {
  /** The session's, or the stream's own. */
  readonly id: string;
  readonly principal: Principal;
  readonly scope: Scope;
  /** Undefined: a modern client has none. */
  readonly session: McpSession | undefined;
  /** Whether what is told is heard: a session's stream may be closed, or at another process. */
  isListening(): boolean;
  /** By the caller's address. */
  updated(uri: string): void;
}

export interface ResourceUpdate {
  readonly server: ServerEntry;
  /** The server's address. */
  readonly uri: string;
  /** The caller's; undefined: it is a part of what they subscribed to. */
  readonly asked: string | undefined;
}

interface Held {
  readonly subscriber: Subscriber;
  readonly server: ServerEntry;
  readonly watch: ResourceWatch;
  /** The server's addresses of what changed while nobody listened. */
  readonly unheard: Set<string>;
  /** By the server's address, when the caller was told last. */
  readonly toldAt: Map<string, number>;
}

export const MOST_SUBSCRIPTIONS_PER_USER = 64;
/** Kept for as long as the subscription is. */
export const LONGEST_SUBSCRIBED_URI = 2_048;
const LOOK_MS = 30_000;
/** What is told on a stream that is about to break may not arrive. */
const DOUBTFUL_MS = 60_000;

export class ResourceSubscriptions {
  readonly #needs: ResourceSubscriptionsNeeds;
  readonly #held = new Map<string, Held>();
  /** Those whom nobody heard at the last look. */
  readonly #unheard = new Set<string>();
  #timer: Timer | undefined;
  #closed = false;

  constructor(needs: ResourceSubscriptionsNeeds) {
    this.#needs = needs;
  }

  subscribe(subscriber: Subscriber, { server, uri }: ServerResource, asked: string): Promise<Outcome | "too-many"> {
    return this.#add(subscriber, server, new Map([[uri, asked]]));
  }

  /** Answers what was granted, in the caller's addresses: what one server takes together, or else one by one. */
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

  /** All that a subscriber has here. */
  of({ id }: Pick<Subscriber, "id">): Pick<ServerResource, "server" | "uri">[] {
    return [...this.#held.values()].flatMap(({ subscriber, server, watch }) =>
      subscriber.id === id ? watch.uris.map((uri) => ({ server, uri })) : [],
    );
  }

  /** Those who have something here. */
  subscriberIds(): Set<string> {
    return new Set(Array.from(this.#held.values(), ({ subscriber }) => subscriber.id));
  }

  /** It may have changed: the caller is told, now or when it listens here again. */
  mayHaveChanged(
    { id }: Pick<Subscriber, "id">,
    { server, uri }: Pick<ServerResource, "server" | "uri">,
    asked: string,
  ): void {
    const held = this.#held.get(keyOf(id, server));
    if (held) this.#updated(held, uri, asked);
  }

  /** The caller listens here again. True: it must be told of this. */
  takeUnheard({ id }: Pick<Subscriber, "id">, { server, uri }: Pick<ServerResource, "server" | "uri">): boolean {
    return this.#held.get(keyOf(id, server))?.unheard.delete(uri) ?? false;
  }

  /** Whether the caller, who listens elsewhere by now, may not have heard of a change. */
  mayHaveMissed({ id }: Pick<Subscriber, "id">, { server, uri }: Pick<ServerResource, "server" | "uri">): boolean {
    const held = this.#held.get(keyOf(id, server));
    const toldAt = held?.toldAt.get(uri) ?? Number.NEGATIVE_INFINITY;
    return held?.unheard.has(uri) || this.#needs.clock.monotonic() - toldAt < DOUBTFUL_MS;
  }

  end({ id }: Pick<Subscriber, "id">): void {
    for (const [key, { subscriber }] of this.#held) if (subscriber.id === id) this.#drop(key);
  }

  close(): void {
    this.#closed = true;
    for (const key of [...this.#held.keys()]) this.#drop(key);
  }

  /** `wanted`: the server's address of each → the caller's. All of them, or none. */
  async #add(
    subscriber: Subscriber,
    server: ServerEntry,
    wanted: ReadonlyMap<string, string>,
  ): Promise<Outcome | "too-many"> {
    const key = keyOf(subscriber.id, server);
    const known = this.#held.get(key)?.watch;
    const more = [...wanted.keys()].filter((uri) => !known?.has(uri)).length;
    if (more > 0 && this.#countOf(subscriber.principal.userId) + more > MOST_SUBSCRIPTIONS_PER_USER) return "too-many";
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
    const held: Held = { subscriber, server, watch, unheard: new Set(), toldAt: new Map() };
    this.#held.set(key, held);
    this.#timer ??= clock.after(LOOK_MS, () => this.#look());
    return watch;
  }

  #updated({ subscriber, server, watch, unheard, toldAt }: Held, uri: string, asked: string | undefined): void {
    // A part of what is subscribed to is told by what it is a part of.
    const of = asked === undefined ? watch.uris.filter((own) => uri.startsWith(own)) : [uri];
    if (!subscriber.isListening()) for (const own of of) unheard.add(own);
    else {
      for (const own of of) toldAt.set(own, this.#needs.clock.monotonic());
      this.#needs.tell(subscriber, { server, uri, asked });
    }
  }

  /** They end with the stream on which they would be heard; who lost it may come back until the next look. */
  #look(): void {
    for (const [key, { subscriber }] of this.#held) {
      if (subscriber.isListening()) this.#unheard.delete(key);
      else if (this.#unheard.has(key)) this.#drop(key);
      else this.#unheard.add(key);
    }
    this.#timer = this.#held.size > 0 ? this.#needs.clock.after(LOOK_MS, () => this.#look()) : undefined;
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
    this.#unheard.delete(key);
    if (this.#held.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}

function keyOf(subscriberId: string, server: ServerEntry): string {
  return `${subscriberId} ${server.id}`;
}
