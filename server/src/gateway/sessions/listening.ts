/**
 * Holds a listening stream to each server that somebody listens for at the gateway: one per server, for all of them.
 * Only where no credential is needed: what a server says to one user is not for others.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Era, ServerEntry, UpstreamEntry } from "../snapshot/shape.ts";
import type { ListenerEvents, ListenTo, UpstreamListener } from "../upstream/listener.ts";
import type { Announcements } from "./announcements.ts";

export interface ListeningNeeds {
  readonly clock: Clock;
  /** Servers for which somebody listens now, at most so many. */
  readonly wanted: (most: number) => Iterable<ServerEntry>;
  readonly listen: (to: ListenTo, events: ListenerEvents) => UpstreamListener;
  readonly announcements: Announcements;
}

const MOST_LISTENED = 200;
/** A look at who listens for what costs time, and those who just left often come back. */
const LOOK_MS = 100;
const LINGER_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60 * 60 * 1000;

interface Ear {
  readonly entry: UpstreamEntry;
  listener: UpstreamListener | undefined;
  timer: Timer | undefined;
  pauseMs: number;
  /** It had been open, so that a word may have been missed since. */
  wasOpen: boolean;
  unwantedSince: number | undefined;
}

export class Listening {
  readonly #needs: ListeningNeeds;
  readonly #ears = new Map<string, Ear>();
  #timer: Timer | undefined;
  #soon = false;
  #closed = false;

  constructor(needs: ListeningNeeds) {
    this.#needs = needs;
  }

  /** Who listens, or what they reach, has changed. */
  lookSoon(): void {
    if (this.#closed || this.#soon) return;
    this.#soon = true;
    this.#timer?.cancel();
    this.#timer = this.#needs.clock.after(LOOK_MS, () => this.#look());
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    for (const id of [...this.#ears.keys()]) this.#drop(id);
  }

  #look(): void {
    this.#soon = false;
    const unwanted = new Set(this.#ears.keys());
    for (const server of this.#needs.wanted(MOST_LISTENED)) {
      if (this.#hear(server)) unwanted.delete(server.id);
    }
    for (const id of unwanted) this.#linger(id);
    if (unwanted.size > 0) this.#timer = this.#needs.clock.after(LINGER_MS, () => this.#look());
  }

  /** False: this server is not listened to. */
  #hear(server: ServerEntry): boolean {
    const era = eraOf(server);
    if (era === undefined || !server.upstream) return false;
    if (this.#ears.get(server.id)?.entry.url !== server.upstream.url) this.#drop(server.id);
    const ear = this.#ears.get(server.id);
    if (ear) ear.unwantedSince = undefined;
    else if (this.#ears.size < MOST_LISTENED) this.#add({ server, entry: server.upstream, era });
    return true;
  }

  #linger(id: string): void {
    const ear = this.#ears.get(id);
    const now = this.#needs.clock.monotonic();
    if (!ear) return;
    ear.unwantedSince ??= now;
    if (now - ear.unwantedSince >= LINGER_MS) this.#drop(id);
  }

  #add(to: ListenTo): void {
    const ear: Ear = {
      entry: to.entry,
      listener: undefined,
      timer: undefined,
      pauseMs: FIRST_PAUSE_MS,
      wasOpen: false,
      unwantedSince: undefined,
    };
    this.#ears.set(to.server.id, ear);
    this.#open(to, ear);
  }

  #open(to: ListenTo, ear: Ear): void {
    const { listen, announcements, clock } = this.#needs;
    const { id } = to.server;
    ear.listener = listen(to, {
      opened: () => {
        ear.pauseMs = FIRST_PAUSE_MS;
        if (ear.wasOpen) announcements.missed(id);
        ear.wasOpen = true;
      },
      changed: (kind) => announcements.heard(id, kind),
      ended: (why) => {
        ear.listener = undefined;
        const pause = why === "never" ? LONGEST_PAUSE_MS : ear.pauseMs;
        ear.pauseMs = Math.min(ear.pauseMs * 2, LONGEST_PAUSE_MS);
        ear.timer = clock.after(pause, () => this.#open(to, ear));
      },
    });
  }

  #drop(id: string): void {
    const ear = this.#ears.get(id);
    this.#ears.delete(id);
    ear?.timer?.cancel();
    ear?.listener?.close();
  }
}

/** Undefined: it is not listened to. */
function eraOf({ upstream }: ServerEntry): Era | undefined {
  if (upstream?.authType !== "none" || upstream.transport === "sse" || upstream.transport === "stdio") return undefined;
  return upstream.eras.includes("modern") ? "modern" : upstream.eras[0];
}
