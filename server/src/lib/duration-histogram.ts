/** Seconds: those of the OpenTelemetry conventions for MCP, and three below, since a gateway adds little. */
export const BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] as const;

/** Counts durations by size. Recording is a few comparisons and two additions, and allocates nothing. */
export class DurationHistogram {
  /** By bound; the last one for what is longer than all. */
  readonly counts = new Float64Array(BOUNDS.length + 1);
  sum = 0;

  record(seconds: number): void {
    let place = 0;
    // Beyond the last bound the comparison is with undefined, and false.
    while (seconds > (BOUNDS[place] as number)) place++;
    this.counts[place] = (this.counts[place] ?? 0) + 1;
    this.sum += seconds;
  }
}
