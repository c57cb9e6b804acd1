/**
 * Bounds in seconds: those of the OpenTelemetry conventions for MCP, and three smaller ones for the gateway's overhead.
 */
export const BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] as const;

/** Counts durations by size. Recording is a few comparisons and two additions, and allocates nothing. */
export class DurationHistogram {
  /** Per bound; the last one counts longer durations. */
  readonly counts = new Float64Array(BOUNDS.length + 1);
  sum = 0;

  record(seconds: number): void {
    let place = 0;
    // After the last bound the comparison is with undefined, which is false.
    while (seconds > (BOUNDS[place] as number)) place++;
    this.counts[place] = (this.counts[place] ?? 0) + 1;
    this.sum += seconds;
  }
}
