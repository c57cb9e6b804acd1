import { CALL_OUTCOMES } from "#lib/call-vocabulary";

/**
 * Duration buckets of a quarter of a doubling, from 100 µs to more than an hour: percentiles have an error of at most
 * 20%. Bucket 0 is everything shorter. Bucket numbers are stored, so only append.
 */
const FIRST_US = 100;
const PER_DOUBLING = 4;
export const BUCKETS = 112;

const INTERRUPTED = CALL_OUTCOMES.indexOf("interrupted");

export function bucketOf(durationUs: number): number {
  if (durationUs < FIRST_US) return 0;
  return Math.min(BUCKETS - 1, 1 + Math.floor(Math.log2(durationUs / FIRST_US) * PER_DOUBLING));
}

/** The lower bound of a bucket; 0 for bucket 0. */
function edgeOf(bucket: number): number {
  return bucket === 0 ? 0 : FIRST_US * 2 ** ((bucket - 1) / PER_DOUBLING);
}

/** Aggregated rows of `call_minutes`. */
export class Tally {
  calls = 0;
  /** By outcome code. */
  readonly outcomes: number[] = CALL_OUTCOMES.map(() => 0);
  #ended = 0;
  #durationUs = 0;
  readonly #buckets = new Map<number, number>();

  add(row: { outcome: number; bucket: number; calls: number; duration_us: number }): void {
    this.calls += row.calls;
    this.outcomes[row.outcome] = (this.outcomes[row.outcome] ?? 0) + row.calls;
    // The duration of an interrupted call is unknown.
    if (row.outcome === INTERRUPTED) return;
    this.#ended += row.calls;
    this.#durationUs += row.duration_us;
    this.#buckets.set(row.bucket, (this.#buckets.get(row.bucket) ?? 0) + row.calls);
  }

  /** Microseconds; undefined if no call has ended. */
  mean(): number | undefined {
    return this.#ended === 0 ? undefined : this.#durationUs / this.#ended;
  }

  /** Microseconds, interpolated within a bucket; undefined if no call has ended. */
  quantile(share: number): number | undefined {
    let rank = share * this.#ended;
    for (const [bucket, calls] of [...this.#buckets].sort(([a], [b]) => a - b)) {
      if (rank <= calls) return edgeOf(bucket) + (rank / calls) * (edgeOf(bucket + 1) - edgeOf(bucket));
      rank -= calls;
    }
    return undefined;
  }
}
