/**
 * Maintains the open streams of callers: notifies them when one of their lists has changed, and ends them when their
 * credential is no longer valid (AUTH-7). Checks when the snapshot is swapped, in slices, and periodically for
 * credentials that expire by the clock.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { Lru } from "#lib/lru";
import { nextTurn } from "#lib/next-turn";
import type { SecretVerifier } from "../ports.ts";
import { authenticate, type Principal } from "../snapshot/authenticate.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import { LIST_KINDS, type ListKind } from "../snapshot/list-kinds.ts";
import type { Listing, ListingKind } from "../snapshot/listing.ts";
import type { Scope } from "../snapshot/scope.ts";
import type { ServerEntry, Source } from "../snapshot/shape.ts";
import type { View } from "../snapshot/view.ts";

export interface Watcher {
  readonly principal: Principal;
  /** Checked again each time, as if it came with a new request. */
  readonly authorization: string | undefined;
  readonly scope: Scope;
  listChanged(kind: ListKind): void;
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
  /** The watchers or their views have changed. */
  readonly changed?: () => void;
}

export const MAX_STREAMS_PER_USER = 256;
const KEEP_ALIVE_MS = 15_000;
const WATCHERS_PER_SLICE = 50;
/** How long a caller whose stream ended is notified of changes when it opens the next one. */
const REMEMBERED_MS = 10 * 60_000;
const MAX_REMEMBERED = 1_000;

export class ViewWatchers {
  readonly #needs: ViewWatchersNeeds;
  /** With the view that each was last notified of. */
  readonly #views = new Map<Watcher, View>();
  readonly #perUser = new Map<string, number>();
  /** By caller, the view that its last stream was notified of. */
  readonly #ended = new Lru<{ readonly view: View; readonly at: number }>(MAX_REMEMBERED);
  #timer: Timer | undefined;
  /** The watchers to check; a swap during the check adds to it. */
  readonly #due = new Set<Watcher>();
  #checking = false;
  #closed = false;

  constructor(needs: ViewWatchersNeeds) {
    this.#needs = needs;
    needs.holder.onSwap(() => this.#check(this.#views.keys()));
  }

  /** False if this user has too many, or the gateway is shutting down. */
  add(watcher: Watcher): boolean {
    const { userId } = watcher.principal;
    const open = this.#perUser.get(userId) ?? 0;
    if (this.#closed || open >= MAX_STREAMS_PER_USER) return false;
    this.#perUser.set(userId, open + 1);
    // With an earlier view, the check below reports what changed while the caller had no stream.
    this.#views.set(
      watcher,
      this.#earlierView(watcher) ?? this.#needs.holder.viewFor(watcher.principal, watcher.scope),
    );
    this.#timer ??= this.#needs.clock.after(KEEP_ALIVE_MS, () => this.#tick());
    // The credential may have ended between authentication and now, while the request's body arrived.
    this.#check([watcher]);
    this.#needs.changed?.();
    return true;
  }

  #earlierView(watcher: Watcher): View | undefined {
    const key = callerOf(watcher);
    const ended = this.#ended.get(key);
    this.#ended.delete(key);
    return ended && this.#needs.clock.monotonic() - ended.at <= REMEMBERED_MS ? ended.view : undefined;
  }

  remove(watcher: Watcher): void {
    const view = this.#views.get(watcher);
    if (!view) return;
    this.#views.delete(watcher);
    this.#ended.set(callerOf(watcher), { view, at: this.#needs.clock.monotonic() });
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
    const now = holder.viewFor(verdict.principal, watcher.scope);
    this.#views.set(watcher, now);
    if (before === now) return;
    this.#needs.changed?.();
    for (const kind of LIST_KINDS) if (!sameList(before, now, kind)) watcher.listChanged(kind);
  }
}

/** Another client of the same user has its own lists. */
function callerOf({ principal, scope }: Watcher): string {
  return JSON.stringify([principal.userId, principal.clientId, scope]);
}

function needsCredential({ upstream }: ServerEntry): boolean {
  return upstream !== undefined && upstream.authType !== "none";
}

/** Sources that did not change keep their fragments, so this mostly compares references. */
function sameList(one: View, other: View, kind: ListKind): boolean {
  const [mine, others] = [listed(one, kind), listed(other, kind)];
  return mine.length === others.length && mine.every((each, at) => isSame(each, others[at], kind));
}

interface Listed {
  readonly key: string;
  readonly listings: readonly Listing[];
}

function listed(view: View, kind: ListKind): Listed[] {
  return view.sources
    .map((source) => ({ key: source.key, listings: LISTINGS[kind].map((each) => view.listing(source, each)) }))
    .filter(({ listings }) => listings.some(({ items }) => items.length > 0));
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

/** The protocol announces changes of templates as changes of resources. */
const LISTINGS: Readonly<Record<ListKind, readonly ListingKind[]>> = {
  tools: ["tools"],
  prompts: ["prompts"],
  resources: ["resources", "resourceTemplates"],
};
