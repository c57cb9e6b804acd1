/**
 * Holds a listening stream to each server that somebody listens for at the gateway: one for all of them, or one for each
 * user where the server asks for a credential.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Era, ServerEntry, UpstreamEntry } from "../snapshot/shape.ts";
import type { ListenerEvents, ListenTo, UpstreamListener } from "../upstream/listen/listener.ts";
import type { Announcements } from "./announcements.ts";
import type { Watched } from "./view-watchers.ts";

export interface ListeningNeeds {
  readonly clock: Clock;
  /** Servers for which somebody listens now, at most so many. */
  readonly wanted: (most: number) => Iterable<Watched>;
  /** With the credential of the user, where one is given. */
  readonly listen: (to: ListenTo, userId: string | undefined, events: ListenerEvents) => UpstreamListener;
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
  readonly userId: string | undefined;
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
    for (const wanted of this.#needs.wanted(MOST_LISTENED)) {
      if (this.#hear(wanted)) unwanted.delete(keyOf(wanted));
    }
    for (const id of unwanted) this.#linger(id);
    if (unwanted.size > 0) this.#timer = this.#needs.clock.after(LINGER_MS, () => this.#look());
  }

  /** False: this server is not listened to. */
  #hear(wanted: Watched): boolean {
    const { server } = wanted;
    const [key, era] = [keyOf(wanted), eraOf(server)];
    if (era === undefined || !server.upstream) return false;
    if (this.#ears.get(key)?.entry.url !== server.upstream.url) this.#drop(key);
    const ear = this.#ears.get(key);
    if (ear) ear.unwantedSince = undefined;
    else if (this.#ears.size < MOST_LISTENED) this.#add(key, { server, entry: server.upstream, era }, wanted.userId);
    return true;
  }

  #linger(id: string): void {
    const ear = this.#ears.get(id);
    const now = this.#needs.clock.monotonic();
    if (!ear) return;
    ear.unwantedSince ??= now;
    if (now - ear.unwantedSince >= LINGER_MS) this.#drop(id);
  }

  #add(key: string, to: ListenTo, userId: string | undefined): void {
    const ear: Ear = {
      entry: to.entry,
      userId,
      listener: undefined,
      timer: undefined,
      pauseMs: FIRST_PAUSE_MS,
      wasOpen: false,
      unwantedSince: undefined,
    };
    this.#ears.set(key, ear);
    this.#open(to, ear);
  }

  #open(to: ListenTo, ear: Ear): void {
    const { listen, announcements, clock } = this.#needs;
    const { id } = to.server;
    const { userId } = ear;
    ear.listener = listen(to, userId, {
      opened: () => {
        ear.pauseMs = FIRST_PAUSE_MS;
        if (ear.wasOpen) announcements.missed(id, userId);
        ear.wasOpen = true;
      },
      changed: (kind) => announcements.heard(id, kind, userId),
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

function keyOf({ server, userId }: Watched): string {
  return userId === undefined ? server.id : `${server.id} ${userId}`;
}

/** Undefined: it is not listened to. Over a shared pipe, the era is the pipe's. */
function eraOf({ upstream }: ServerEntry): Era | undefined {
  if (upstream?.transport === "sse" || upstream?.transport === "stdio") return "legacy";
  return upstream?.eras.includes("modern") ? "modern" : upstream?.eras[0];
}
