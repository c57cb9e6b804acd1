/**
 * Maintains the open streams of callers: notifies them when one of their lists has changed, and ends them when their
 * credential is no longer valid (AUTH-7). Checks when the snapshot is swapped, in slices, and periodically for
 * credentials that expire by the clock.
 */
import type { Clock, Timer } from "#lib/clock";
import { ALL_CAPABILITIES } from "#lib/gating-capabilities";
import type { Logger } from "#lib/logger";
import { nextTurn } from "#lib/next-turn";
import type { CallerRecords, SecretVerifier, StreamState } from "../ports.ts";
import { authenticate, type Principal } from "../snapshot/authenticate.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import { LIST_KINDS, type ListKind } from "../snapshot/list-kinds.ts";
import type { Listing } from "../snapshot/listing.ts";
import type { Scope } from "../snapshot/scope.ts";
import type { ServerEntry, Source } from "../snapshot/shape.ts";
import type { View } from "../snapshot/view.ts";
import { LISTINGS, type Listed, listedBy, listHashes } from "./list-hashes.ts";
import { StreamMemory, shortHash } from "./stream-memory.ts";

export interface Watcher {
  /** Unique among the streams of all processes. */
  readonly id: string;
  /** The URIs that the stream is subscribed to. */
  readonly subscribed?: readonly string[];
  readonly principal: Principal;
  /** Checked again each time, as if it came with a new request. */
  readonly authorization: string | undefined;
  readonly scope: Scope;
  listChanged(kind: ListKind): void;
  /** One of the subscribed resources may have changed while the caller had no stream. */
  mayHaveMissed?(uri: string): void;
  keepAlive(): void;
  /** The credential is no longer valid, or the gateway is shutting down. Called at most once, and last. */
  end(): void;
}

export interface Watched {
  readonly server: ServerEntry;
  /** Set if the server needs a credential: notifications to one user are not for others. */
  readonly userId?: string;
}

export interface ViewWatchersNeeds {
  readonly holder: SnapshotHolder;
  readonly verifier: SecretVerifier;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For streams at other processes and before the start. */
  readonly callerRecords?: CallerRecords | undefined;
  /** The watchers or their views have changed. */
  readonly changed?: () => void;
}

export const MAX_STREAMS_PER_USER = 256;
const KEEP_ALIVE_MS = 15_000;
const WATCHERS_PER_SLICE = 50;

export class ViewWatchers {
  readonly #needs: ViewWatchersNeeds;
  /** With the view that each was last notified of. */
  readonly #views = new Map<Watcher, View>();
  readonly #perUser = new Map<string, number>();
  readonly #memory: StreamMemory;
  #timer: Timer | undefined;
  /** The watchers to check; a swap during the check adds to it. */
  readonly #due = new Set<Watcher>();
  #checking = false;
  #closed = false;

  constructor(needs: ViewWatchersNeeds) {
    this.#needs = needs;
    this.#memory = new StreamMemory({ ...needs, records: needs.callerRecords });
    needs.holder.onSwap(() => this.#check(this.#views.keys()));
  }

  /** False if this user has too many, or the gateway is shutting down. */
  add(watcher: Watcher): boolean {
    const { userId } = watcher.principal;
    const open = this.#perUser.get(userId) ?? 0;
    if (this.#closed || open >= MAX_STREAMS_PER_USER) return false;
    this.#perUser.set(userId, open + 1);
    const view = this.#viewOf(watcher.principal, watcher.scope);
    this.#views.set(watcher, view);
    this.#notifyOfMissed(watcher, view);
    this.#timer ??= this.#needs.clock.after(KEEP_ALIVE_MS, () => this.#tick());
    // The credential may have ended between authentication and now, while the request's body arrived.
    this.#check([watcher]);
    this.#needs.changed?.();
    return true;
  }

  /** With all tools: a notification about one that the caller's capabilities hide costs it one list. */
  #viewOf(principal: Principal, scope: Scope): View {
    return this.#needs.holder.viewFor(principal, scope, () => ALL_CAPABILITIES);
  }

  /** Reports what changed while the caller had no stream. */
  #notifyOfMissed(watcher: Watcher, view: View): void {
    this.#memory.opened(stateOf(watcher, view)).then(
      ({ lists, hadResource }) => {
        if (!this.#views.has(watcher)) return;
        for (const kind of LIST_KINDS) if (lists.has(kind)) watcher.listChanged(kind);
        for (const uri of watcher.subscribed ?? []) if (hadResource(uri)) watcher.mayHaveMissed?.(uri);
      },
      (error: unknown) => this.#needs.logger.error({ err: error }, "missed changes could not be determined"),
    );
  }

  remove(watcher: Watcher): void {
    if (!this.#views.delete(watcher)) return;
    this.#memory.ended(watcher.id);
    this.#needs.changed?.();
    const { userId } = watcher.principal;
    const left = (this.#perUser.get(userId) ?? 1) - 1;
    if (left > 0) this.#perUser.set(userId, left);
    else this.#perUser.delete(userId);
    if (this.#views.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Notifies everyone with access to the server that a list has changed, whatever their views contain. */
  announced({ id }: ServerEntry, kind: ListKind): void {
    for (const [watcher, { servers }] of this.#views) {
      // The tools of tool search never change.
      if (kind === "tools" && watcher.scope.tools === "search") continue;
      if (servers.some((server) => server.id === id)) watcher.listChanged(kind);
    }
  }

  /**
   * The servers that callers watch: each once, or once per user if it needs a credential. At most `most`, those without
   * credentials first.
   */
  watched(most: number): Watched[] {
    const found = new Map<string, Watched>();
    const withCredential = new Map<View, ServerEntry[]>();
    // Most watchers share their view with others.
    for (const view of new Set(this.#views.values())) {
      for (const server of view.servers) if (!needsCredential(server)) found.set(server.id, { server });
      withCredential.set(view, view.servers.filter(needsCredential));
      if (found.size >= most) break;
    }
    for (const [{ principal }, view] of this.#views) {
      if (found.size >= most) break;
      const { userId } = principal;
      for (const server of withCredential.get(view) ?? []) found.set(`${server.id} ${userId}`, { server, userId });
    }
    return [...found.values()].slice(0, most);
  }

  close(): void {
    this.#closed = true;
    for (const watcher of [...this.#views.keys()]) this.#end(watcher);
    this.#memory.close();
  }

  #end(watcher: Watcher): void {
    this.remove(watcher);
    watcher.end();
  }

  #tick(): void {
    this.#timer = this.#needs.clock.after(KEEP_ALIVE_MS, () => this.#tick());
    for (const watcher of [...this.#views.keys()]) watcher.keepAlive();
    this.#check(this.#views.keys());
  }

  #check(watchers: Iterable<Watcher>): void {
    for (const watcher of watchers) this.#due.add(watcher);
    if (this.#checking || this.#due.size === 0) return;
    this.#checking = true;
    this.#checkDue().catch((error: unknown) => {
      this.#needs.logger.error({ err: error }, "checking the open streams failed");
    });
  }

  async #checkDue(): Promise<void> {
    try {
      let seen = 0;
      for (const watcher of this.#due) {
        // Calls at the gateway must not wait until all watchers are notified.
        if (seen++ % WATCHERS_PER_SLICE === 0) await nextTurn();
        this.#due.delete(watcher);
        this.#checkWatcher(watcher);
      }
    } finally {
      // In the same turn as the last check of `due`, so that nothing becomes due in between.
      this.#checking = false;
    }
  }

  #checkWatcher(watcher: Watcher): void {
    const { holder, verifier, clock } = this.#needs;
    const before = this.#views.get(watcher);
    if (!before) return;
    const verdict = authenticate(watcher.authorization, holder.current(), verifier, clock.now());
    if (verdict.kind !== "principal" || verdict.principal.userId !== watcher.principal.userId) {
      this.#end(watcher);
      return;
    }
    const now = this.#viewOf(verdict.principal, watcher.scope);
    this.#views.set(watcher, now);
    if (before === now) return;
    this.#needs.changed?.();
    const changed = LIST_KINDS.filter((kind) => !sameList(before, now, kind));
    for (const kind of changed) watcher.listChanged(kind);
    if (changed.length > 0) this.#memory.changed(stateOf(watcher, now));
  }
}

/** Another client of the same user has its own lists. */
function callerOf({ principal, scope }: Watcher): string {
  return shortHash(JSON.stringify([principal.userId, principal.clientId, scope]));
}

function stateOf(watcher: Watcher, view: View): StreamState {
  const resources = watcher.subscribed?.map((uri) => shortHash(uri)) ?? [];
  return { id: watcher.id, caller: callerOf(watcher), lists: listHashes(view), resources };
}

function needsCredential({ upstream }: ServerEntry): boolean {
  return upstream !== undefined && upstream.authType !== "none";
}

/** Sources that did not change keep their fragments, so this mostly compares references. */
function sameList(one: View, other: View, kind: ListKind): boolean {
  const [mine, others] = [listedBy(one, kind), listedBy(other, kind)];
  return mine.length === others.length && mine.every((each, at) => isSame(each, others[at], kind));
}

/** For resources the key matters too: it is part of qualified URIs (D37), which no fragment shows. */
function isSame(one: Listed, other: Listed | undefined, kind: ListKind): boolean {
  if (!other || (kind === "resources" && one.key !== other.key)) return false;
  return one.listings.every((listing, at) => hasSameFragment(listing, other.listings[at]));
}

/** Whether a source lists the same items at two points in time. */
export function sameListOf(one: Source, other: Source, kind: ListKind): boolean {
  return one === other || LISTINGS[kind].every((each) => hasSameFragment(one[each], other[each]));
}

function hasSameFragment({ fragment }: Listing, other: Listing | undefined): boolean {
  return other !== undefined && (fragment === other.fragment || other.fragment.equals(fragment));
}
