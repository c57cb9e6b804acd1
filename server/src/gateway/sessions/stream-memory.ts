/**
 * Remembers what the streams of a caller were notified of, so that a caller who opens the next one learns what changed in
 * between: after a lost connection, at another process, and after a restart. Clients have no way to name their last stream,
 * so a new one is compared with all recent streams of the same user, client and scope.
 */
import { createHash } from "node:crypto";
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { Lru } from "#lib/lru";
import type { CallerRecords, StreamState } from "../ports.ts";

export interface StreamMemoryNeeds {
  /** Undefined if nothing is stored, as in tests. */
  readonly records?: CallerRecords | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The differences between earlier streams and a new one. */
export interface Missed {
  /** The kinds of lists that changed. */
  readonly lists: ReadonlySet<string>;
  /** Whether an earlier stream was subscribed to this resource, which may have changed while none was. */
  hadResource(uri: string): boolean;
}

const REMEMBERED_MS = 10 * 60_000;
/** Open streams are stored again before they are forgotten. */
const REFRESH_MS = 4 * 60_000;
const SAVE_MS = 100;
const MAX_CALLERS = 1_000;
const MAX_STREAMS_PER_CALLER = 64;

interface EndedStream {
  readonly state: StreamState;
  readonly at: number;
}

export class StreamMemory {
  readonly #needs: StreamMemoryNeeds;
  readonly #open = new Map<string, StreamState>();
  readonly #ended = new Lru<readonly EndedStream[]>(MAX_CALLERS);
  #unsaved = new Map<string, StreamState>();
  /** Deleted with the next save: the stream that continues them is always unsaved at this point. */
  #forgotten = new Set<string>();
  #saving: Timer | undefined;
  #refreshing: Timer | undefined;

  constructor(needs: StreamMemoryNeeds) {
    this.#needs = needs;
  }

  /** Resolves to what the caller missed. One earlier stream is forgotten, because this one continues it. */
  async opened(state: StreamState): Promise<Missed> {
    const { records, logger } = this.#needs;
    this.changed(state);
    this.#refreshing ??= this.#needs.clock.after(REFRESH_MS, () => this.#refresh());
    const local = this.#endedOf(state.caller).map((ended) => ended.state);
    const stored = await records?.streamsOf(state.caller, REMEMBERED_MS).catch((error: unknown) => {
      logger.warn({ err: error }, "the earlier streams of a caller could not be read");
      return [];
    });
    const byId = new Map([...(stored ?? []), ...local].map((each) => [each.id, each]));
    const earlier = [...byId.values()].filter(({ id }) => !this.#open.has(id));
    const continued = earlier.find((each) => changedLists([each], state).size === 0) ?? earlier[0];
    if (continued) this.#forget(continued);
    const resources = new Set(earlier.flatMap((each) => each.resources));
    return { lists: changedLists(earlier, state), hadResource: (uri) => resources.has(shortHash(uri)) };
  }

  /** The stream was notified of these lists. */
  changed(state: StreamState): void {
    this.#open.set(state.id, state);
    this.#saveSoon(state);
  }

  ended(id: string): void {
    const state = this.#open.get(id);
    if (!state) return;
    this.#open.delete(id);
    const at = this.#needs.clock.monotonic();
    const streams = [{ state, at }, ...this.#endedOf(state.caller)].slice(0, MAX_STREAMS_PER_CALLER);
    this.#ended.set(state.caller, streams);
    this.#saveSoon(state);
    if (this.#open.size > 0) return;
    this.#refreshing?.cancel();
    this.#refreshing = undefined;
  }

  close(): void {
    this.#refreshing?.cancel();
    this.#saving?.cancel();
    this.#save();
  }

  #endedOf(caller: string): readonly EndedStream[] {
    const after = this.#needs.clock.monotonic() - REMEMBERED_MS;
    return this.#ended.get(caller)?.filter(({ at }) => at >= after) ?? [];
  }

  #forget({ id, caller }: StreamState): void {
    const left = this.#endedOf(caller).filter(({ state }) => state.id !== id);
    if (left.length > 0) this.#ended.set(caller, left);
    else this.#ended.delete(caller);
    this.#unsaved.delete(id);
    if (this.#needs.records) this.#forgotten.add(id);
  }

  #refresh(): void {
    this.#refreshing = this.#needs.clock.after(REFRESH_MS, () => this.#refresh());
    for (const state of this.#open.values()) this.#saveSoon(state);
  }

  #saveSoon(state: StreamState): void {
    if (!this.#needs.records) return;
    this.#unsaved.set(state.id, state);
    this.#saving ??= this.#needs.clock.after(SAVE_MS, () => this.#save());
  }

  #save(): void {
    this.#saving = undefined;
    const states = [...this.#unsaved.values()];
    const forgotten = [...this.#forgotten];
    this.#unsaved = new Map();
    this.#forgotten = new Set();
    if (states.length + forgotten.length === 0) return;
    this.#needs.records?.saveStreams(states, forgotten, REMEMBERED_MS).catch((error: unknown) => {
      this.#needs.logger.warn({ err: error }, "the streams of callers could not be stored");
    });
  }
}

function changedLists(earlier: readonly StreamState[], now: StreamState): Set<string> {
  const changed = Object.keys(now.lists).filter((kind) => earlier.some(({ lists }) => lists[kind] !== now.lists[kind]));
  return new Set(changed);
}

/** Comparable between processes. */
export function shortHash(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
