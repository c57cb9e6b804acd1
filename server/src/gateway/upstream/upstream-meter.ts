import { DurationHistogram } from "#lib/duration-histogram";

/** What requests to one server took, by how they ended. */
export class UpstreamMeter {
  /** Under which the server stands in the metrics. */
  readonly name: string;
  readonly answered = new DurationHistogram();
  readonly down = new DurationHistogram();
  readonly other = new DurationHistogram();

  constructor(name: string) {
    this.name = name;
  }

  record(sign: "up" | "down" | "none", seconds: number): void {
    if (sign === "up") this.answered.record(seconds);
    else if (sign === "down") this.down.record(seconds);
    else this.other.record(seconds);
  }
}

/** However many servers there are, no more have a name in the metrics: each is dozens of time series. */
const MOST_NAMED = 100;
/** No slug. */
const REST = "_other";

/** Meters by slug: of the servers that were called first, and one for all the rest. */
export class UpstreamMeters {
  readonly #bySlug = new Map<string, UpstreamMeter>();
  readonly #rest = new UpstreamMeter(REST);

  of(slug: string): UpstreamMeter {
    const known = this.#bySlug.get(slug);
    if (known) return known;
    if (this.#bySlug.size >= MOST_NAMED) return this.#rest;
    const meter = new UpstreamMeter(slug);
    this.#bySlug.set(slug, meter);
    return meter;
  }

  *durations(): Iterable<readonly [{ server: string; error_type: string }, DurationHistogram]> {
    for (const meter of [...this.#bySlug.values(), this.#rest]) {
      for (const [error_type, histogram] of [
        ["", meter.answered],
        ["unavailable", meter.down],
        ["_OTHER", meter.other],
      ] as const) {
        if (histogram.counts.some((count) => count > 0)) yield [{ server: meter.name, error_type }, histogram];
      }
    }
  }
}
