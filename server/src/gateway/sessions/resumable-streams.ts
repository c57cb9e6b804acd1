/**
 * Streamed responses that survive their connection, for sessions of 2025-11-25 and later, where a broken connection is
 * not a cancellation. Events, bytes and time are limited. They are buffered in this process only: in another process,
 * or after a restart, the response is lost (decision 0028).
 */
import type { Clock, Timer } from "#lib/clock";
import type { Exchange } from "../exchange.ts";
import { type BufferLimits, EventBuffer } from "./event-buffer.ts";
import { ResumableStream, readEventId } from "./resumable-stream.ts";
import type { McpSession } from "./sessions.ts";

export interface ResumableStreamsNeeds {
  readonly clock: Clock;
  /** At least 128 random bits, as base62. */
  readonly newStreamId: () => string;
  /** Whether there is no other process that could receive the caller's next request. */
  readonly alone: boolean;
}

export const FIRST_RESUMABLE_VERSION = "2025-11-25";
/** How long a response is buffered, and its call continues, for a caller that may resume. */
const KEPT_MS = 5 * 60 * 1000;
const CHECK_MS = 15_000;
const MAX_STREAMS_PER_USER = 256;
const MAX_BYTES_PER_USER = 32 * 1024 * 1024;
const MAX_BYTES = 128 * 1024 * 1024;

interface Share {
  bytes: number;
  streams: number;
}

export class ResumableStreams {
  readonly #needs: ResumableStreamsNeeds;
  /** Oldest first. */
  readonly #streams = new Map<string, ResumableStream>();
  readonly #shares = new Map<string, Share>();
  #bytes = 0;
  #timer: Timer | undefined;

  constructor(needs: ResumableStreamsNeeds) {
    this.#needs = needs;
  }

  /** Whether the caller may be disconnected while an upstream defers its response. */
  get canDefer(): boolean {
    return this.#needs.alone;
  }

  /**
   * Undefined if the session's version does not support it, or the user has too many streams. `lost` as in
   * `ResumableStream`.
   */
  open(exchange: Exchange, session: McpSession, lost: () => void): ResumableStream | undefined {
    const { clock, newStreamId } = this.#needs;
    const share = this.#shares.get(session.userId) ?? { bytes: 0, streams: 0 };
    if (session.version < FIRST_RESUMABLE_VERSION) return undefined;
    if (share.streams >= MAX_STREAMS_PER_USER && !this.#forgetOldest(session.userId)) return undefined;
    this.#shares.set(session.userId, share);
    share.streams++;
    const events = new EventBuffer(this.#roomOf(session.userId, share));
    const stream = new ResumableStream(newStreamId(), session, events, lost, () => clock.monotonic());
    this.#streams.set(stream.id, stream);
    this.#timer ??= clock.after(CHECK_MS, () => this.#check());
    stream.connect(exchange);
    return stream;
  }

  /** False if this session has no such stream here. */
  resume(exchange: Exchange, session: McpSession, lastEventId: string): boolean {
    const { streamId, number } = readEventId(lastEventId) ?? { streamId: "", number: 0 };
    const stream = this.#streams.get(streamId);
    if (!stream?.kept || stream.session.id !== session.id || stream.session.userId !== session.userId) return false;
    stream.connect(exchange, number);
    return true;
  }

  endSession({ id }: Pick<McpSession, "id">): void {
    for (const stream of this.#streams.values()) if (stream.session.id === id) this.#forget(stream);
  }

  close(): void {
    for (const stream of this.#streams.values()) this.#forget(stream);
  }

  #check(): void {
    const now = this.#needs.clock.monotonic();
    for (const stream of this.#streams.values()) {
      if (stream.unreadSince === undefined) stream.comment();
      else if (now - stream.unreadSince >= KEPT_MS) this.#forget(stream);
    }
    this.#timer = this.#streams.size > 0 ? this.#needs.clock.after(CHECK_MS, () => this.#check()) : undefined;
  }

  #roomOf(userId: string, share: Share): BufferLimits {
    return {
      take: (bytes) => {
        while (share.bytes + bytes > MAX_BYTES_PER_USER) if (!this.#forgetOldest(userId)) return false;
        while (this.#bytes + bytes > MAX_BYTES) if (!this.#forgetOldest()) return false;
        share.bytes += bytes;
        this.#bytes += bytes;
        return true;
      },
      give: (bytes) => {
        share.bytes -= bytes;
        this.#bytes -= bytes;
      },
    };
  }

  /** Only complete responses; those in progress stay. */
  #forgetOldest(userId?: string): boolean {
    for (const stream of this.#streams.values()) {
      if (!stream.ended || (userId !== undefined && stream.session.userId !== userId)) continue;
      this.#forget(stream);
      return true;
    }
    return false;
  }

  #forget(stream: ResumableStream): void {
    this.#streams.delete(stream.id);
    const { userId } = stream.session;
    const share = this.#shares.get(userId);
    if (share && --share.streams === 0) this.#shares.delete(userId);
    stream.forget();
    if (this.#streams.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
