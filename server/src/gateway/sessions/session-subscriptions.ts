/**
 * Subscriptions of legacy sessions. A caller subscribes with one request and receives notifications on another, which
 * may reach different processes. Subscriptions are therefore stored, and the process with the session's stream also
 * holds the streams to the upstreams. A process that takes over a subscription asks the previous holder whether the
 * caller may have missed an update, and notifies the caller if so, or if there is no response.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { Replicas, StoredSubscription, SubscriptionRecords } from "../session-ports.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import type { ServerResource } from "../snapshot/resources.ts";
import type { ResourceSubscriptions, Subscriber } from "./resource-subscriptions.ts";
import type { Outcome } from "./resource-watch.ts";
import type { McpSession } from "./sessions.ts";

export interface SessionSubscriptionsNeeds {
  readonly subscriptions: ResourceSubscriptions;
  readonly records: SubscriptionRecords;
  /** Undefined if there are none. */
  readonly replicas?: Replicas | undefined;
  readonly holder: SnapshotHolder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Subscribers whose session's stream is open here. */
  readonly listening: () => Iterable<Subscriber>;
  readonly listenerOf: (sessionId: string) => Subscriber | undefined;
}

/** Well below the time after which unused subscriptions are deleted. */
const TOUCH_MS = 60 * 60 * 1000;
/** How long to wait for the previous holder, which is notified within half a second unless it is busy. */
const HANDOVER_TIMEOUT_MS = 10_000;

/** A subscription that was taken over, until the previous holder has reported its state. */
interface TakenOver {
  readonly from: string;
  readonly timer: Timer;
  notifyCaller(): void;
}

export class SessionSubscriptions {
  readonly #needs: SessionSubscriptionsNeeds;
  /** By session id: writes and reads run in sequence, so that older state does not overwrite newer state. */
  readonly #lastTasks = new Map<string, Promise<unknown>>();
  readonly #takenOver = new Map<string, TakenOver>();
  #timer: Timer;

  constructor(needs: SessionSubscriptionsNeeds) {
    this.#needs = needs;
    this.#timer = needs.clock.after(TOUCH_MS, () => this.#touch());
  }

  /** Rejects if it cannot be stored; then there is no subscription. */
  subscribe(subscriber: Subscriber, found: ServerResource, asked: string): Promise<Outcome | "too-many"> {
    const { subscriptions, records } = this.#needs;
    const { server, uri } = found;
    return this.#inSequence(subscriber.id, async () => {
      const outcome = await subscriptions.subscribe(subscriber, found, asked);
      if (outcome !== "ok") return outcome;
      try {
        await records.subscribed(subscriber.id, { serverId: server.id, uri, asked });
      } catch (error) {
        subscriptions.unsubscribe(subscriber, found);
        throw error;
      }
      return outcome;
    });
  }

  unsubscribe(session: Pick<McpSession, "id">, found: ServerResource): Promise<void> {
    const { subscriptions, records } = this.#needs;
    return this.#inSequence(session.id, async () => {
      await records.unsubscribed(session.id, { serverId: found.server.id, uri: found.uri });
      subscriptions.unsubscribe(session, found);
    });
  }

  /** Stored state of these sessions has changed. */
  changed(sessionIds: Iterable<string>): void {
    const held = this.#needs.subscriptions.subscriberIds();
    for (const id of sessionIds) {
      const listener = this.#needs.listenerOf(id);
      if (listener) this.restore(listener);
      else if (held.has(id)) this.#handOverSoon({ id });
    }
  }

  /** The session's stream was opened here, or its stored state has changed. */
  restore(subscriber: Subscriber): void {
    this.#inSequence(subscriber.id, () => this.#restore(subscriber)).catch((error: unknown) => {
      this.#needs.logger.warn({ err: error }, "subscriptions of a session could not be read");
    });
  }

  /** The session's stream is not here, so another process may hold its subscriptions by now. */
  #handOverSoon(session: Pick<McpSession, "id">): void {
    this.#inSequence(session.id, () => this.#handOver(session)).catch((error: unknown) => {
      this.#needs.logger.warn({ err: error }, "subscriptions of a session could not be handed over");
    });
  }

  /** Another process is gone and cannot report the state of its subscriptions. */
  onReplicaGone(): void {
    for (const { from, notifyCaller } of this.#takenOver.values()) if (!this.#needs.replicas?.has(from)) notifyCaller();
  }

  close(): void {
    this.#timer.cancel();
    for (const { timer } of this.#takenOver.values()) timer.cancel();
  }

  async #restore(subscriber: Subscriber): Promise<void> {
    const { subscriptions, records, holder } = this.#needs;
    const stored = await records.subscriptionsOf(subscriber.id);
    if (!subscriber.isListening()) return;
    const held = subscriptions.of(subscriber);
    for (const one of held)
      if (!stored.some(({ serverId, uri }) => serverId === one.server.id && uri === one.uri))
        subscriptions.unsubscribe(subscriber, one);
    const { servers } = holder.viewFor(subscriber.principal, subscriber.scope);
    for (const one of stored) {
      const { serverId, uri, asked } = one;
      const server = servers.find(({ id }) => id === serverId);
      if (!server) continue;
      const found = { server, uri, listed: uri };
      if (held.some((own) => own.server.id === serverId && own.uri === uri)) this.#heldHere(subscriber, found, one);
      else if ((await subscriptions.subscribe(subscriber, found, asked)) === "ok")
        await this.#takeOver(subscriber, found, one);
    }
  }

  #heldHere(subscriber: Subscriber, found: ServerResource, { asked, handedOver }: StoredSubscription): void {
    const key = keyOf(subscriber, found);
    const taken = this.#takenOver.get(key);
    if (handedOver === "missed") taken?.notifyCaller();
    if (handedOver !== undefined) {
      taken?.timer.cancel();
      this.#takenOver.delete(key);
    }
    const { subscriptions } = this.#needs;
    if (subscriptions.takeMissed(subscriber, found)) subscriptions.mayHaveChanged(subscriber, found, asked);
  }

  async #takeOver(subscriber: Subscriber, found: ServerResource, { asked, heldBy }: StoredSubscription): Promise<void> {
    const { subscriptions, records, replicas, clock } = this.#needs;
    const key = keyOf(subscriber, found);
    const notifyCaller = () => {
      this.#takenOver.get(key)?.timer.cancel();
      this.#takenOver.delete(key);
      subscriptions.mayHaveChanged(subscriber, found, asked);
    };
    if (heldBy === undefined || !replicas?.has(heldBy)) notifyCaller();
    else
      this.#takenOver.set(key, { from: heldBy, notifyCaller, timer: clock.after(HANDOVER_TIMEOUT_MS, notifyCaller) });
    if (replicas) await records.tookOver(subscriber.id, { serverId: found.server.id, uri: found.uri });
  }

  async #handOver(session: Pick<McpSession, "id">): Promise<void> {
    const { subscriptions, records } = this.#needs;
    const stored = await records.subscriptionsOf(session.id);
    for (const one of subscriptions.of(session)) {
      const { server, uri } = one;
      const place = { serverId: server.id, uri };
      const row = stored.find((other) => other.serverId === server.id && other.uri === uri);
      if (row && row.heldBy === undefined) continue;
      const word = subscriptions.mayHaveMissed(session, one) ? "missed" : "quiet";
      subscriptions.unsubscribe(session, one);
      if (row) await records.handedOver(session.id, place, word);
    }
  }

  async #inSequence<Result>(id: string, act: () => Promise<Result>): Promise<Result> {
    const before = this.#lastTasks.get(id) ?? Promise.resolve();
    const task = before.then(act, act);
    this.#lastTasks.set(id, task);
    try {
      return await task;
    } finally {
      if (this.#lastTasks.get(id) === task) this.#lastTasks.delete(id);
    }
  }

  #touch(): void {
    const { clock, records, logger, listening } = this.#needs;
    this.#timer = clock.after(TOUCH_MS, () => this.#touch());
    const ids = Array.from(listening(), ({ id }) => id);
    records.touchSubscriptions(ids).catch((error: unknown) => {
      logger.warn({ err: error }, "subscriptions could not be marked as used");
    });
  }
}

function keyOf({ id }: Pick<Subscriber, "id">, { server, uri }: ServerResource): string {
  return `${id} ${server.id} ${uri}`;
}
