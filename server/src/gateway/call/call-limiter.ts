import type { Clock } from "#lib/clock";
import type { CallLimits } from "../snapshot/limits.ts";

/** The calls that one key is limited for: in flight now, and counted against the rate limit. */
export class CallCount {
  readonly key: string;
  /** Of this process. */
  inFlight = 0;
  /** Of the other workers of this service, as they last reported. */
  inFlightElsewhere = 0;
  calls = 0;
  countedAt: number;
  /** Calls of this process since its last report to the other workers. */
  unreported = 0;

  constructor(key: string, now: number) {
    this.key = key;
    this.countedAt = now;
  }

  release(): void {
    this.inFlight--;
  }
}

/** Why a call is rejected: the limit, its value, and when a retry can succeed. */
export interface Shortage {
  readonly limit: "calls per minute" | "concurrent calls";
  readonly value: number;
  readonly inFlight: number;
  readonly retrySeconds: number;
}

/** Calls of one key in one worker: since its last report, and in flight now. */
export type CountReport = readonly [key: string, calls: number, inFlight: number];

const MINUTE_MS = 60_000;
const MIN_CAPACITY = 10_000;
/** Refilling adds rounding errors, which must not cost a call. */
const ROUNDING = 1e-6;

/**
 * D36, GW-16, F57: limits of calls by key, such as a user. Checking is cheap: one map lookup and a few comparisons. A call
 * can have several limits, so checking (`shortage`) and counting (`count`) are separate: a rejected call is not counted.
 */
export class CallLimiter {
  readonly #clock: Clock;
  readonly #counts = new Map<string, CallCount>();
  /** Limited keys with calls in flight, or with calls that the other workers do not know yet. */
  readonly #active = new Set<CallCount>();
  /** By worker, its calls in flight. */
  readonly #elsewhere = new Map<number, Map<CallCount, number>>();
  #capacity = MIN_CAPACITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Entries are kept between calls; idle ones are removed when there are too many. */
  of(key: string): CallCount {
    const known = this.#counts.get(key);
    if (known) return known;
    if (this.#counts.size >= this.#capacity) this.#removeIdle();
    const added = new CallCount(key, this.#clock.monotonic());
    this.#counts.set(key, added);
    return added;
  }

  /** Undefined if one more call is within the limits. Must be followed by `count` in the same turn of the event loop. */
  shortage(count: CallCount, { callsPerMinute, concurrentCalls }: CallLimits): Shortage | undefined {
    const inFlight = count.inFlight + count.inFlightElsewhere;
    if (concurrentCalls > 0 && inFlight >= concurrentCalls)
      return { limit: "concurrent calls", value: concurrentCalls, inFlight, retrySeconds: 1 };
    if (callsPerMinute === 0) return undefined;
    this.#refill(count, callsPerMinute);
    const excess = count.calls + 1 - callsPerMinute;
    if (excess <= ROUNDING) return undefined;
    const retrySeconds = Math.max(1, Math.ceil((excess / callsPerMinute) * 60 - ROUNDING));
    return { limit: "calls per minute", value: callsPerMinute, inFlight, retrySeconds };
  }

  /** The caller must release it when the call ends. */
  count(count: CallCount, { callsPerMinute, concurrentCalls }: CallLimits): CallCount {
    count.inFlight++;
    if (callsPerMinute > 0) {
      count.calls++;
      count.unreported++;
    }
    if (callsPerMinute > 0 || concurrentCalls > 0) this.#active.add(count);
    return count;
  }

  /** What the other workers must count too, since the last call of this function. A key that became idle is included once. */
  takeReport(): CountReport[] {
    const report: CountReport[] = [];
    for (const count of this.#active) {
      report.push([count.key, count.unreported, count.inFlight]);
      count.unreported = 0;
      if (count.inFlight === 0) this.#active.delete(count);
    }
    return report;
  }

  /** Counts the calls of another worker. */
  addReport(from: number, report: readonly CountReport[]): void {
    const known = this.#elsewhere.get(from) ?? new Map<CallCount, number>();
    this.#elsewhere.set(from, known);
    for (const [key, calls, inFlight] of report) {
      const count = this.of(key);
      count.calls += calls;
      count.inFlightElsewhere += inFlight - (known.get(count) ?? 0);
      if (inFlight === 0) known.delete(count);
      else known.set(count, inFlight);
    }
  }

  /** Another worker has ended, and with it its calls. */
  forgetReports(from: number): void {
    for (const [count, inFlight] of this.#elsewhere.get(from) ?? []) count.inFlightElsewhere -= inFlight;
    this.#elsewhere.delete(from);
  }

  /** A token bucket with the capacity of one minute, refilled evenly. After the limit was lowered, it is full at most. */
  #refill(count: CallCount, perMinute: number): void {
    const now = this.#clock.monotonic();
    const freed = ((now - count.countedAt) / MINUTE_MS) * perMinute;
    count.calls = Math.max(0, Math.min(count.calls, perMinute) - freed);
    count.countedAt = now;
  }

  #removeIdle(): void {
    const now = this.#clock.monotonic();
    for (const [key, { inFlight, inFlightElsewhere, countedAt }] of this.#counts) {
      if (inFlight + inFlightElsewhere === 0 && now - countedAt >= MINUTE_MS) this.#counts.delete(key);
    }
    this.#capacity = Math.max(MIN_CAPACITY, 2 * this.#counts.size);
  }
}
