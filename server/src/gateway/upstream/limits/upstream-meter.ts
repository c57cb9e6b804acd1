import { DurationHistogram } from "#lib/duration-histogram";

type HealthSignal = "up" | "down" | "none";

/** What requests to one server took, by their method and how they ended. */
export class UpstreamMeter {
  /** Under which the server stands in the metrics. */
  readonly name: string;
  readonly #byMethod = new Map<string, Readonly<Record<HealthSignal, DurationHistogram>>>();

  constructor(name: string) {
    this.name = name;
  }

  /** Only methods that the gateway knows come this far, so there are few of them. */
  record(method: string, signal: HealthSignal, seconds: number): void {
    const ended = this.#byMethod.get(method) ?? this.#first(method);
    ended[signal].record(seconds);
  }

  #first(method: string): Readonly<Record<HealthSignal, DurationHistogram>> {
    const ended = { up: new DurationHistogram(), down: new DurationHistogram(), none: new DurationHistogram() };
    this.#byMethod.set(method, ended);
    return ended;
  }

  *durations(): Iterable<readonly [method: string, signal: HealthSignal, DurationHistogram]> {
    for (const [method, ended] of this.#byMethod) {
      for (const signal of ["up", "down", "none"] as const) {
        if (ended[signal].counts.some((count) => count > 0)) yield [method, signal, ended[signal]];
      }
    }
  }
}

/** However many servers there are, no more have a name in the metrics: each is dozens of time series. */
const MOST_NAMED = 100;
/** No slug. */
const REST = "_other";
const ERROR_TYPES = { up: "", down: "unavailable", none: "_OTHER" } as const;

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

  *durations(): Iterable<
    readonly [{ server: string; mcp_method_name: string; error_type: string }, DurationHistogram]
  > {
    for (const meter of [...this.#bySlug.values(), this.#rest]) {
      for (const [mcp_method_name, signal, histogram] of meter.durations()) {
        yield [{ server: meter.name, mcp_method_name, error_type: ERROR_TYPES[signal] }, histogram];
      }
    }
  }
}
