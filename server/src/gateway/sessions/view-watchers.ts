/**
 * Looks after every stream that is open towards a caller: tells it when a list of theirs has changed, and ends it when
 * their credential no longer counts (AUTH-7). It looks when the snapshot is swapped, in slices, and now and then for
 * what ends by the clock.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { nextTurn } from "#lib/next-turn";
import type { SecretVerifier } from "../ports.ts";
import { authenticate, type Principal } from "../snapshot/authenticate.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import { LIST_KINDS, type ListKind } from "../snapshot/list-kinds.ts";
import type { ListingKind } from "../snapshot/listing.ts";
import type { Scope } from "../snapshot/scope.ts";
import type { ServerEntry, Source } from "../snapshot/shape.ts";
import type { View } from "../snapshot/view.ts";

export interface Watcher {
  readonly principal: Principal;
  /** Presented again at each look, as if it came with a new request. */
  readonly authorization: string | undefined;
  readonly scope: Scope;
  listChanged(kind: ListKind): void;
  keepAlive(): void;
  /** The credential counts no more, or we shut down. Told at most once, and nothing after it. */
  end(): void;
}

export interface Watched {
  readonly server: ServerEntry;
  /** By whom, where the server asks for a credential: what it says to one user is not for others. */
  readonly userId?: string;
}

export interface ViewWatchersNeeds {
  readonly holder: SnapshotHolder;
  readonly verifier: SecretVerifier;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Who watches, or what they see, has changed. */
  readonly changed?: () => void;
}

export const MOST_STREAMS_PER_USER = 256;
const KEEP_ALIVE_MS = 15_000;
const WATCHERS_PER_SLICE = 50;

export class ViewWatchers {
  readonly #needs: ViewWatchersNeeds;
  /** With the view that each was last told of. */
  readonly #views = new Map<Watcher, View>();
  readonly #perUser = new Map<string, number>();
  #timer: Timer | undefined;
  /** Whom to look at; a swap while we look adds to it. */
  readonly #due = new Set<Watcher>();
  #looking = false;
  #closed = false;

  constructor(needs: ViewWatchersNeeds) {
    this.#needs = needs;
    needs.holder.onSwap(() => this.#look(this.#views.keys()));
  }

  /** False: this user has too many already, or we are shutting down. */
  add(watcher: Watcher): boolean {
    const { userId } = watcher.principal;
    const open = this.#perUser.get(userId) ?? 0;
    if (this.#closed || open >= MOST_STREAMS_PER_USER) return false;
    this.#perUser.set(userId, open + 1);
    this.#views.set(watcher, this.#needs.holder.viewFor(watcher.principal, watcher.scope));
    this.#timer ??= this.#needs.clock.after(KEEP_ALIVE_MS, () => this.#tick());
    // Between its authentication and now the request's body had to come, and the credential may have ended.
    this.#look([watcher]);
    this.#needs.changed?.();
    return true;
  }

  remove(watcher: Watcher): void {
    if (!this.#views.delete(watcher)) return;
    this.#needs.changed?.();
    const { userId } = watcher.principal;
    const left = (this.#perUser.get(userId) ?? 1) - 1;
    if (left > 0) this.#perUser.set(userId, left);
    else this.#perUser.delete(userId);
    if (this.#views.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Tells whoever sees the server that a list of its has changed, whatever their views say. */
  announced({ id }: ServerEntry, kind: ListKind): void {
    for (const [watcher, { servers }] of this.#views) {
      if (servers.some((server) => server.id === id)) watcher.listChanged(kind);
    }
  }

  /**
   * Servers that somebody watches: each once, or once for each user where it asks for a credential. At most so many, those
   * that ask for none first.
   */
  watched(most: number): Watched[] {
    const found = new Map<string, Watched>();
    const asking = new Map<View, ServerEntry[]>();
    // Most watchers share their view with others.
    for (const view of new Set(this.#views.values())) {
      for (const server of view.servers) if (!asksForCredential(server)) found.set(server.id, { server });
      asking.set(view, view.servers.filter(asksForCredential));
      if (found.size >= most) break;
    }
    for (const [{ principal }, view] of this.#views) {
      if (found.size >= most) break;
      const { userId } = principal;
      for (const server of asking.get(view) ?? []) found.set(`${server.id} ${userId}`, { server, userId });
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
    this.#look(this.#views.keys());
  }

  #look(watchers: Iterable<Watcher>): void {
    for (const watcher of watchers) this.#due.add(watcher);
    if (this.#looking || this.#due.size === 0) return;
    this.#looking = true;
    this.#lookAtDue().catch((error: unknown) => {
      this.#needs.logger.error({ err: error }, "looking after open streams failed");
    });
  }

  async #lookAtDue(): Promise<void> {
    try {
      let seen = 0;
      for (const watcher of this.#due) {
        // Calls at the gateway must not wait until everybody has been told.
        if (seen++ % WATCHERS_PER_SLICE === 0) await nextTurn();
        this.#due.delete(watcher);
        this.#lookAt(watcher);
      }
    } finally {
      // In the same turn as the last look at what is due, so that nothing becomes due between the two.
      this.#looking = false;
    }
  }

  #lookAt(watcher: Watcher): void {
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

function asksForCredential({ upstream }: ServerEntry): boolean {
  return upstream !== undefined && upstream.authType !== "none";
}

/** Sources that did not change keep their fragments, so this mostly compares references. */
function sameList(one: View, other: View, kind: ListKind): boolean {
  const [mine, others] = [listing(one, kind), listing(other, kind)];
  return mine.length === others.length && mine.every((source, at) => isSame(source, others[at], kind));
}

function listing({ sources }: View, kind: ListKind): Source[] {
  return sources.filter((source) => LISTINGS[kind].some((each) => source[each].items.length > 0));
}

/** For resources the key matters too: it is part of qualified URIs (D37), which no fragment shows. */
function isSame(one: Source, other: Source | undefined, kind: ListKind): boolean {
  return other !== undefined && (kind !== "resources" || one.key === other.key) && sameListOf(one, other, kind);
}

/** Whether a source lists the same items at two points in time. */
export function sameListOf(one: Source, other: Source, kind: ListKind): boolean {
  if (one === other) return true;
  return LISTINGS[kind].every((each) => {
    const [fragment, others] = [one[each].fragment, other[each].fragment];
    return fragment === others || others.equals(fragment);
  });
}

/** The protocol announces changes of templates as changes of resources. */
const LISTINGS: Readonly<Record<ListKind, readonly ListingKind[]>> = {
  tools: ["tools"],
  prompts: ["prompts"],
  resources: ["resources", "resourceTemplates"],
};
