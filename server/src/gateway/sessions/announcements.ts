/**
 * An upstream's own word that a list of its has changed: the server is read again, and whoever listens is told. Words in
 * quick succession are taken together, and a server that never stops talking is read only so often.
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

/** So many readings at once, and one more each time this long has passed. */
const MOST_READINGS = 20;
const READING_EVERY_MS = 5_000;

interface Announced {
  readonly kinds: Set<ListKind>;
  /** Who heard it last, where the server asks each user for a credential: it is read with theirs. */
  userId: string | undefined;
  /** A connection was lost meanwhile, so that a word may have been missed. */
  unsure: boolean;
  reading: boolean;
  timer: Timer | undefined;
  readings: number;
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

  /** Nothing was heard for a while: what is read tells. */
  missed(serverId: string, userId?: string): void {
    const server = this.#of(serverId);
    server.userId = userId;
    server.unsure = true;
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
      unsure: false,
      reading: false,
      timer: undefined,
      readings: 0,
      countedAt,
    };
    this.#servers.set(serverId, made);
    return made;
  }

  #proceed(serverId: string, server: Announced): void {
    if (this.#closed || server.reading || server.timer || (server.kinds.size === 0 && !server.unsure)) return;
    const { clock, logger } = this.#needs;
    const now = clock.monotonic();
    const earned = Math.floor((now - server.countedAt) / READING_EVERY_MS);
    server.countedAt += earned * READING_EVERY_MS;
    server.readings = Math.max(0, server.readings - earned);
    if (server.readings >= MOST_READINGS) {
      server.timer = clock.after(server.countedAt + READING_EVERY_MS - now, () => {
        server.timer = undefined;
        this.#proceed(serverId, server);
      });
      return;
    }
    server.readings++;
    server.reading = true;
    const kinds = [...server.kinds];
    server.kinds.clear();
    server.unsure = false;
    this.#read(serverId, kinds, server.userId)
      .catch((error: unknown) =>
        logger.warn({ err: error, serverId }, "a server that announced a change could not be read"),
      )
      .finally(() => {
        server.reading = false;
        if (this.#needs.holder.current().serversById.get(serverId)) this.#proceed(serverId, server);
        else this.#servers.delete(serverId);
      });
  }

  /**
   * What is found to differ is told with the new snapshot. An upstream's word counts also where nothing is, unless it was
   * said to one user: that is not for others.
   */
  async #read(serverId: string, kinds: readonly ListKind[], userId: string | undefined): Promise<void> {
    const { holder, watchers, listSync } = this.#needs;
    const before = holder.current().serversById.get(serverId);
    await listSync.again(serverId, userId);
    if (userId !== undefined) return;
    const after = holder.current().serversById.get(serverId);
    if (!before || !after) return;
    for (const kind of kinds) if (sameListOf(before, after, kind)) watchers.announced(after, kind);
  }
}
