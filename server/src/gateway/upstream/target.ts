import type { UpstreamCredential } from "../ports.ts";
import type { Era, ServerEntry, UpstreamEntry } from "../snapshot/shape.ts";
import type { Channel } from "./channel.ts";
import { type Line, MODERN_VERSION } from "./handshake.ts";
import { modernHeaders } from "./headers.ts";
import { SpokenEras } from "./spoken-eras.ts";

export interface Route {
  readonly era: Era;
  readonly target: Target;
  readonly headers: readonly string[];
  /** The target's, or one of its own for a user with a credential. */
  readonly line: Line;
  /** Legacy only: whose session this is, and its id where the upstream gave one. */
  readonly owner: string;
  readonly sessionId: string | undefined;
  /** Where messages go over a shared pipe instead of one exchange each. */
  readonly channel: Channel | undefined;
  usedAt: number;
  /** Calls under way: a session in use is not ended for being old. */
  inFlight: number;
}

/** What is known of one server's upstream. */
export class Target {
  readonly server: ServerEntry;
  entry: UpstreamEntry;
  readonly line: Line;
  spoken: SpokenEras;
  readonly modern: Route;
  readonly sessions = new Map<string, Route>();
  /** Whether its way is a channel; and since when, where that was found out. */
  overChannel: boolean;
  overChannelSince = 0;
  /** To a local server: one route for all. */
  local: Route | undefined;
  usedAt: number;

  constructor(server: ServerEntry, entry: UpstreamEntry, line: Line, now: number) {
    this.server = server;
    this.entry = entry;
    this.line = line;
    this.spoken = new SpokenEras(entry.eras, now);
    this.modern = newRoute(this, line, "modern", modernHeaders(MODERN_VERSION));
    this.overChannel = entry.transport === "sse";
    this.usedAt = now;
  }

  get key(): string {
    return `${this.server.id} ${this.entry.url}`;
  }
}

/** Whose upstream session it is: a user's, under one grant. */
export function ownerOf(principalId: string, credential: UpstreamCredential | undefined): string {
  return credential ? `${principalId} ${credential.grant}` : principalId;
}

export function newRoute(
  target: Target,
  line: Line,
  era: Era,
  headers: readonly string[],
  owner = "",
  sessionId: string | undefined = undefined,
  channel: Channel | undefined = undefined,
): Route {
  return { era, target, line, headers, owner, sessionId, channel, usedAt: 0, inFlight: 0 };
}
