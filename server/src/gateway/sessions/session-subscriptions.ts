/**
 * Subscriptions of legacy sessions. A caller subscribes with one request and hears on another, and the two may reach
 * different processes: so they are stored, and whichever process holds the session's stream holds the streams to the
 * upstreams too. Whoever finds them stored tells the caller to look, since something may have been missed before.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { SubscriptionRecords } from "../ports.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import type { FoundResource } from "../snapshot/resources.ts";
import type { ResourceSubscriptions, Subscriber } from "./resource-subscriptions.ts";
import type { Outcome } from "./resource-watch.ts";
import type { McpSession } from "./sessions.ts";

export interface SessionSubscriptionsNeeds {
  readonly subscriptions: ResourceSubscriptions;
  readonly records: SubscriptionRecords;
  readonly holder: SnapshotHolder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Sessions whose stream is open here. */
  readonly listening: () => Iterable<Subscriber>;
}

/** Well below the time after which those that nobody uses are deleted. */
const TOUCH_MS = 60 * 60 * 1000;

export class SessionSubscriptions {
  readonly #needs: SessionSubscriptionsNeeds;
  /** By session id: what is stored and what is read come one after the other, so that no old news undo newer ones. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #timer: Timer;

  constructor(needs: SessionSubscriptionsNeeds) {
    this.#needs = needs;
    this.#timer = needs.clock.after(TOUCH_MS, () => this.#touch());
  }

  /** Rejects while it cannot be stored; then there is none. */
  subscribe(subscriber: Subscriber, found: FoundResource, asked: string): Promise<Outcome | "too-many"> {
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

  unsubscribe(session: Pick<McpSession, "id">, found: FoundResource): Promise<void> {
    const { subscriptions, records } = this.#needs;
    return this.#inTurn(session.id, async () => {
      await records.unsubscribed(session.id, { serverId: found.server.id, uri: found.uri });
      subscriptions.unsubscribe(session, found);
    });
  }

  /** The session's stream was opened here, or something was stored of the session. */
  restore(subscriber: Subscriber): void {
    this.#inTurn(subscriber.id, () => this.#restore(subscriber)).catch((error: unknown) => {
      this.#needs.logger.warn({ err: error }, "subscriptions of a session could not be read");
    });
  }

  close(): void {
    this.#timer.cancel();
  }

  async #restore(subscriber: Subscriber): Promise<void> {
    const { subscriptions, records, holder } = this.#needs;
    const stored = await records.subscriptionsOf(subscriber.id);
    if (!subscriber.isListening()) return;
    const held = subscriptions.of(subscriber);
    for (const one of held)
      if (!stored.some(({ serverId, uri }) => serverId === one.server.id && uri === one.uri))
        subscriptions.unsubscribe(subscriber, one);
    const { servers } = holder.viewFor(subscriber.principal.user, subscriber.scope);
    for (const { serverId, uri, asked } of stored) {
      const server = servers.find(({ id }) => id === serverId);
      if (!server || held.some((one) => one.server.id === serverId && one.uri === uri)) continue;
      if ((await subscriptions.subscribe(subscriber, { server, uri, listed: uri }, asked)) === "ok")
        subscriber.updated(asked);
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
