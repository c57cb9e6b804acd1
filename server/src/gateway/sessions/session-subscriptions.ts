/**
 * Subscriptions of legacy sessions. A caller subscribes with one request and hears on another, and the two may reach
 * different processes: so they are stored, and whichever process holds the session's stream holds the streams to the
 * upstreams too. Whoever takes one over asks the process that had it whether the caller may have missed something, and
 * tells the caller to look if so, or if there is no answer.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { Replicas, StoredSubscription, SubscriptionRecords } from "../ports.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import type { ServerResource } from "../snapshot/resources.ts";
import type { ResourceSubscriptions, Subscriber } from "./resource-subscriptions.ts";
import type { Outcome } from "./resource-watch.ts";
import type { McpSession } from "./sessions.ts";

export interface SessionSubscriptionsNeeds {
  readonly subscriptions: ResourceSubscriptions;
  readonly records: SubscriptionRecords;
  /** Undefined: there are none. */
  readonly replicas?: Replicas | undefined;
  readonly holder: SnapshotHolder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Sessions whose stream is open here. */
  readonly listening: () => Iterable<Subscriber>;
  readonly listenerOf: (sessionId: string) => Subscriber | undefined;
}

/** Well below the time after which those that nobody uses are deleted. */
const TOUCH_MS = 60 * 60 * 1000;
/** For the word of the process that had it: it hears of it within half a second, if it is not busy. */
const PATIENCE_MS = 10_000;

/** One that was taken over, until the process that had it has said how it was. */
interface TakenOver {
  readonly from: string;
  readonly timer: Timer;
  tellToLook(): void;
}

export class SessionSubscriptions {
  readonly #needs: SessionSubscriptionsNeeds;
  /** By session id: what is stored and what is read come one after the other, so that no old news undo newer ones. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #takenOver = new Map<string, TakenOver>();
  #timer: Timer;

  constructor(needs: SessionSubscriptionsNeeds) {
    this.#needs = needs;
    this.#timer = needs.clock.after(TOUCH_MS, () => this.#touch());
  }

  /** Rejects while it cannot be stored; then there is none. */
  subscribe(subscriber: Subscriber, found: ServerResource, asked: string): Promise<Outcome | "too-many"> {
    const { subscriptions, records } = this.#needs;
    const { server, uri } = found;
    return this.#inTurn(subscriber.id, async () => {
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
    return this.#inTurn(session.id, async () => {
      await records.unsubscribed(session.id, { serverId: found.server.id, uri: found.uri });
      subscriptions.unsubscribe(session, found);
    });
  }

  /** Something was stored of these sessions. */
  changed(sessionIds: Iterable<string>): void {
    const held = this.#needs.subscriptions.subscriberIds();
    for (const id of sessionIds) {
      const listener = this.#needs.listenerOf(id);
      if (listener) this.restore(listener);
      else if (held.has(id)) this.#handOverSoon({ id });
    }
  }

  /** The session's stream was opened here, or something was stored of the session. */
  restore(subscriber: Subscriber): void {
    this.#inTurn(subscriber.id, () => this.#restore(subscriber)).catch((error: unknown) => {
      this.#needs.logger.warn({ err: error }, "subscriptions of a session could not be read");
    });
  }

  /** The session's stream is not here: what it has here may be another process's by now. */
  #handOverSoon(session: Pick<McpSession, "id">): void {
    this.#inTurn(session.id, () => this.#handOver(session)).catch((error: unknown) => {
      this.#needs.logger.warn({ err: error }, "subscriptions of a session could not be handed over");
    });
  }

  /** Another process is gone, and with it what it could have said. */
  onReplicaGone(): void {
    for (const { from, tellToLook } of this.#takenOver.values()) if (!this.#needs.replicas?.has(from)) tellToLook();
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
    if (handedOver === "missed") taken?.tellToLook();
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
    const tellToLook = () => {
      this.#takenOver.get(key)?.timer.cancel();
      this.#takenOver.delete(key);
      subscriptions.mayHaveChanged(subscriber, found, asked);
    };
    if (heldBy === undefined || !replicas?.has(heldBy)) tellToLook();
    else this.#takenOver.set(key, { from: heldBy, tellToLook, timer: clock.after(PATIENCE_MS, tellToLook) });
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

  async #inTurn<Result>(id: string, act: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const turn = before.then(act, act);
    this.#turns.set(id, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
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
