/**
 * Keeps a listener open to each server whose list changes a caller is subscribed to: one for all callers, or one for each
 * user if the server needs a credential.
 */
import type { Clock, Timer } from "#lib/clock";
import type { UpstreamEntry } from "../snapshot/shape.ts";
import type { ListenerEvents, ListenTo, UpstreamListener } from "../upstream/listen/listener.ts";
import { isSameDestination } from "../upstream/transport/endpoint.ts";
import type { Announcements } from "./announcements.ts";
import { listeningEra } from "./listener-era.ts";
import type { Watched } from "./view-watchers.ts";

export interface ListListenersNeeds {
  readonly clock: Clock;
  /** The servers that callers listen to now, at most `most`. */
  readonly wanted: (most: number) => Iterable<Watched>;
  /** With the credential of the user, if one is given. */
  readonly listen: (to: ListenTo, userId: string | undefined, events: ListenerEvents) => UpstreamListener;
  readonly announcements: Announcements;
}

const MAX_LISTENERS = 200;
/** A check is expensive, and callers that disconnect often come back. */
const CHECK_MS = 100;
const LINGER_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60 * 60 * 1000;

interface Subscription {
  readonly entry: UpstreamEntry;
  readonly userId: string | undefined;
  listener: UpstreamListener | undefined;
  timer: Timer | undefined;
  pauseMs: number;
  /** It was open before, so a notification may have been missed. */
  wasOpen: boolean;
  unwantedSince: number | undefined;
}

export class ListListeners {
  readonly #needs: ListListenersNeeds;
  readonly #subscriptions = new Map<string, Subscription>();
  #timer: Timer | undefined;
  #soon = false;
  #closed = false;

  constructor(needs: ListListenersNeeds) {
    this.#needs = needs;
  }

  /** The listening callers, or the servers that they have access to, have changed. */
  checkSoon(): void {
    if (this.#closed || this.#soon) return;
    this.#soon = true;
    this.#timer?.cancel();
    this.#timer = this.#needs.clock.after(CHECK_MS, () => this.#check());
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    for (const id of [...this.#subscriptions.keys()]) this.#drop(id);
  }

  #check(): void {
    this.#soon = false;
    const unwanted = new Set(this.#subscriptions.keys());
    for (const wanted of this.#needs.wanted(MAX_LISTENERS)) {
      if (this.#subscribe(wanted)) unwanted.delete(keyOf(wanted));
    }
    for (const id of unwanted) this.#linger(id);
    if (unwanted.size > 0) this.#timer = this.#needs.clock.after(LINGER_MS, () => this.#check());
  }

  /** False if this server needs no listener. */
  #subscribe(wanted: Watched): boolean {
    const { server } = wanted;
    const [key, era] = [keyOf(wanted), listeningEra(server, "modern")];
    if (era === undefined || !server.upstream) return false;
    const known = this.#subscriptions.get(key);
    if (known && !isSameDestination(known.entry, server.upstream)) this.#drop(key);
    const subscription = this.#subscriptions.get(key);
    if (subscription) subscription.unwantedSince = undefined;
    else if (this.#subscriptions.size < MAX_LISTENERS)
      this.#add(key, { server, entry: server.upstream, era }, wanted.userId);
    return true;
  }

  #linger(id: string): void {
    const subscription = this.#subscriptions.get(id);
    const now = this.#needs.clock.monotonic();
    if (!subscription) return;
    subscription.unwantedSince ??= now;
    if (now - subscription.unwantedSince >= LINGER_MS) this.#drop(id);
  }

  #add(key: string, to: ListenTo, userId: string | undefined): void {
    const subscription: Subscription = {
      entry: to.entry,
      userId,
      listener: undefined,
      timer: undefined,
      pauseMs: FIRST_PAUSE_MS,
      wasOpen: false,
      unwantedSince: undefined,
    };
    this.#subscriptions.set(key, subscription);
    this.#open(to, subscription);
  }

  #open(to: ListenTo, subscription: Subscription): void {
    const { listen, announcements, clock } = this.#needs;
    const { id } = to.server;
    const { userId } = subscription;
    subscription.listener = listen(to, userId, {
      opened: () => {
        subscription.pauseMs = FIRST_PAUSE_MS;
        if (subscription.wasOpen) announcements.missed(id, userId);
        subscription.wasOpen = true;
      },
      changed: (kind) => announcements.received(id, kind, userId),
      ended: (why) => {
        subscription.listener = undefined;
        const pause = why === "never" ? MAX_PAUSE_MS : subscription.pauseMs;
        subscription.pauseMs = Math.min(subscription.pauseMs * 2, MAX_PAUSE_MS);
        subscription.timer = clock.after(pause, () => this.#open(to, subscription));
      },
    });
  }

  #drop(id: string): void {
    const subscription = this.#subscriptions.get(id);
    this.#subscriptions.delete(id);
    subscription?.timer?.cancel();
    subscription?.listener?.close();
  }
}

function keyOf({ server, userId }: Watched): string {
  return userId === undefined ? server.id : `${server.id} ${userId}`;
}
