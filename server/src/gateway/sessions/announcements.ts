/**
 * Announcements of upstreams that a list has changed: the server is synced again, and listening callers are notified.
 * Announcements in quick succession are combined, and the number of syncs per server is limited.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { ListSync } from "../ports.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import type { ListKind } from "../snapshot/list-kinds.ts";
import { sameListOf, type ViewWatchers } from "./view-watchers.ts";

export interface AnnouncementsNeeds {
  readonly holder: SnapshotHolder;
  readonly watchers: ViewWatchers;
  readonly listSync: ListSync;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** This many syncs in a burst, and one more per interval. */
const MAX_SYNCS = 20;
const SYNC_EVERY_MS = 5_000;

interface Announced {
  readonly kinds: Set<ListKind>;
  /**
   * The user who received it last, if the server needs a credential per user: their credential is used for the sync.
   */
  userId: string | undefined;
  /** A connection was lost meanwhile, so an announcement may have been missed. */
  mayHaveMissed: boolean;
  syncing: boolean;
  timer: Timer | undefined;
  syncs: number;
  countedAt: number;
}

export class Announcements {
  readonly #needs: AnnouncementsNeeds;
  readonly #servers = new Map<string, Announced>();
  #closed = false;

  constructor(needs: AnnouncementsNeeds) {
    this.#needs = needs;
  }

  received(serverId: string, kind: ListKind, userId?: string): void {
    const server = this.#of(serverId);
    server.userId = userId;
    server.kinds.add(kind);
    this.#proceed(serverId, server);
  }

  /** Announcements may have been missed: syncs to find out. */
  missed(serverId: string, userId?: string): void {
    const server = this.#of(serverId);
    server.userId = userId;
    server.mayHaveMissed = true;
    this.#proceed(serverId, server);
  }

  close(): void {
    this.#closed = true;
    for (const { timer } of this.#servers.values()) timer?.cancel();
  }

  #of(serverId: string): Announced {
    const known = this.#servers.get(serverId);
    if (known) return known;
    const countedAt = this.#needs.clock.monotonic();
    const made = {
      kinds: new Set<ListKind>(),
      userId: undefined,
      mayHaveMissed: false,
      syncing: false,
      timer: undefined,
      syncs: 0,
      countedAt,
    };
    this.#servers.set(serverId, made);
    return made;
  }

  #proceed(serverId: string, server: Announced): void {
    if (this.#closed || server.syncing || server.timer || (server.kinds.size === 0 && !server.mayHaveMissed)) return;
    const { clock, logger } = this.#needs;
    const now = clock.monotonic();
    const earned = Math.floor((now - server.countedAt) / SYNC_EVERY_MS);
    server.countedAt += earned * SYNC_EVERY_MS;
    server.syncs = Math.max(0, server.syncs - earned);
    if (server.syncs >= MAX_SYNCS) {
      server.timer = clock.after(server.countedAt + SYNC_EVERY_MS - now, () => {
        server.timer = undefined;
        this.#proceed(serverId, server);
      });
      return;
    }
    server.syncs++;
    server.syncing = true;
    const kinds = [...server.kinds];
    server.kinds.clear();
    server.mayHaveMissed = false;
    this.#sync(serverId, kinds, server.userId)
      .catch((error: unknown) =>
        logger.warn({ err: error, serverId }, "the tools of a server that announced a change could not be synced"),
      )
      .finally(() => {
        server.syncing = false;
        if (this.#needs.holder.current().serversById.get(serverId)) this.#proceed(serverId, server);
        else this.#servers.delete(serverId);
      });
  }

  /**
   * Differences are announced with the new snapshot. An announcement without a difference is passed on too, unless it
   * was sent to one user, because it is not for others.
   */
  async #sync(serverId: string, kinds: readonly ListKind[], userId: string | undefined): Promise<void> {
    const { holder, watchers, listSync } = this.#needs;
    const before = holder.current().serversById.get(serverId);
    await listSync.again(serverId, userId);
    if (userId !== undefined) return;
    const after = holder.current().serversById.get(serverId);
    if (!before || !after) return;
    for (const kind of kinds) if (sameListOf(before, after, kind)) watchers.announced(after, kind);
  }
}
