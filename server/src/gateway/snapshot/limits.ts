/** How much of one upstream is asked for at once, and how long it is waited for (GW-11, GW-12). */
export interface ServerLimits {
  readonly concurrentCalls: number;
  /** Calls beyond those wait: this many, this long. */
  readonly queuedCalls: number;
  readonly queueMs: number;
  /** After so many failures in a row nothing is asked for a while; then one call tries whether it is back. */
  readonly failuresUntilPause: number;
  readonly pauseMs: number;
  /** Silence before an answer begins, and between two pieces of it. */
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  concurrentCalls: 64,
  queuedCalls: 128,
  queueMs: 5_000,
  failuresUntilPause: 5,
  pauseMs: 30_000,
  firstByteMs: 60_000,
  idleMs: 60_000,
  totalMs: 15 * 60_000,
};

export interface Limits {
  /** For servers that have none of their own. */
  readonly server: ServerLimits;
  /** D36: calls of one user at once; and a minute, 0 for as many as they like. */
  readonly userConcurrentCalls: number;
  readonly userCallsPerMinute: number;
  readonly payloadCapture: PayloadCapture;
}

/** What is kept of what calls carry: not even sizes and errors, these, or all of it with or without secrets (decision 0043). */
export type PayloadCapture = "off" | "metadata" | "redacted" | "full";

export const DEFAULT_LIMITS: Limits = {
  server: DEFAULT_SERVER_LIMITS,
  userConcurrentCalls: 256,
  userCallsPerMinute: 0,
  payloadCapture: "metadata",
};
