import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";

const REASONS = {
  unread: "its response was not read for more than 60 s",
  pipelined: "it sent too many requests before it read the response to the first one",
  limit: "its address has as many open connections as CONNECTIONS_PER_ADDRESS allows",
} as const;
const LOG_INTERVAL_MS = 60_000;

export type CloseReason = keyof typeof REASONS;

/** Counts connections that Gatehouse closes, and logs why at most once per minute and reason: clients see only a reset. */
export class ClosedConnections {
  readonly counts: Record<CloseReason, number> = { unread: 0, pipelined: 0, limit: 0 };
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #logger: Pick<Logger, "warn">;
  readonly #logged = new Map<CloseReason, { at: number; count: number }>();

  constructor(clock: Pick<Clock, "monotonic">, logger: Pick<Logger, "warn">) {
    this.#clock = clock;
    this.#logger = logger;
  }

  add(reason: CloseReason, peer: string | undefined): void {
    const count = ++this.counts[reason];
    const last = this.#logged.get(reason);
    const now = this.#clock.monotonic();
    if (last !== undefined && now - last.at < LOG_INTERVAL_MS) return;
    this.#logged.set(reason, { at: now, count });
    const connections = count - (last?.count ?? 0);
    this.#logger.warn({ peer, connections }, `A connection was closed because ${REASONS[reason]}`);
  }
}
