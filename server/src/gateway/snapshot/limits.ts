/** Concurrency limits and timeouts of one upstream (GW-11, GW-12). */
export interface ServerLimits {
  readonly concurrentCalls: number;
  /** Calls over the limit wait in a queue of this length, for at most this time. */
  readonly queuedCalls: number;
  readonly queueMs: number;
  /** After this many consecutive failures the server is paused. One trial call after 1 s, 2 s, 4 s and so on, up to `pauseMs`, checks whether it has recovered. */
  readonly failuresUntilPause: number;
  readonly pauseMs: number;
  /** Maximum silence before the response starts, and between two chunks of it. */
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
  firstByteMs: 300_000,
  idleMs: 300_000,
  totalMs: 15 * 60_000,
};

/** 0 means unlimited. */
export interface CallLimits {
  readonly callsPerMinute: number;
  readonly concurrentCalls: number;
}

export interface Limits {
  /** Defaults for servers without custom limits. */
  readonly server: ServerLimits;
  /** D36: of each user. */
  readonly user: CallLimits;
  readonly payloadCapture: PayloadCapture;
  /** Epoch milliseconds after which no payloads are captured; undefined: no end. */
  readonly payloadCaptureUntil?: number | undefined;
  /** How long a call waits for an approval. */
  readonly approvalWaitMs: number;
}

/**
 * How much of a call's payload is stored: nothing, only sizes and errors, or everything with or without secrets
 * (decision 0043).
 */
export type PayloadCapture = "off" | "metadata" | "redacted" | "full";

export const DEFAULT_LIMITS: Limits = {
  server: DEFAULT_SERVER_LIMITS,
  user: { concurrentCalls: 256, callsPerMinute: 0 },
  payloadCapture: "metadata",
  approvalWaitMs: 30_000,
};
