import { DurationHistogram } from "#lib/duration-histogram";

type HealthSignal = "up" | "down" | "none";

/** Request durations of one server, by method and health signal. */
export class UpstreamMeter {
  /** The name of the server in metrics. */
  readonly name: string;
  readonly #byMethod = new Map<string, Readonly<Record<HealthSignal, DurationHistogram>>>();

  constructor(name: string) {
    this.name = name;
  }

  /** The gateway forwards only known methods, so there are few. */
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

/** Further servers share one name: each name adds dozens of time series. */
const MAX_NAMES = 100;
/** Not a valid slug. */
const OTHERS = "_other";
const ERROR_TYPES = { up: "", down: "unavailable", none: "_OTHER" } as const;

/** Meters by slug: one for each server that was called first, and one for all others. */
export class UpstreamMeters {
  readonly #bySlug = new Map<string, UpstreamMeter>();
  readonly #others = new UpstreamMeter(OTHERS);

  of(slug: string): UpstreamMeter {
    const known = this.#bySlug.get(slug);
    if (known) return known;
    if (this.#bySlug.size >= MAX_NAMES) return this.#others;
    const meter = new UpstreamMeter(slug);
    this.#bySlug.set(slug, meter);
    return meter;
  }

  *durations(): Iterable<
    readonly [{ server: string; mcp_method_name: string; error_type: string }, DurationHistogram]
  > {
    for (const meter of [...this.#bySlug.values(), this.#others]) {
      for (const [mcp_method_name, signal, histogram] of meter.durations()) {
        yield [{ server: meter.name, mcp_method_name, error_type: ERROR_TYPES[signal] }, histogram];
      }
    }
  }
}
