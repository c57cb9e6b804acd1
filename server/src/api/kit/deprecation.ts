/** Spec 8, 9.4: nothing goes sooner. */
const SHORTEST_NOTICE_MONTHS = 6;

/** Calendar days, UTC. */
export interface Notice {
  readonly since: string;
  readonly sunset: string;
}

/**
 * Since when something is deprecated, and when it goes. A notice that is too short cannot be declared: the service would
 * not start.
 */
export class Deprecation {
  readonly #since: Date;
  readonly #sunset: Date;

  constructor({ since, sunset }: Notice) {
    this.#since = readDay(since);
    this.#sunset = readDay(sunset);
    const soonest = new Date(this.#since);
    soonest.setUTCMonth(soonest.getUTCMonth() + SHORTEST_NOTICE_MONTHS);
    if (this.#sunset < soonest) throw new Error(`deprecated since ${since}, it must stay for six months: ${sunset}`);
  }

  /** RFC 9745 and RFC 8594. */
  headers(): Record<"deprecation" | "sunset", string> {
    return { deprecation: `@${this.#since.getTime() / 1000}`, sunset: this.#sunset.toUTCString() };
  }

  /** Of several that a request uses, the one that goes first is told. */
  static soonest(used: readonly Deprecation[]): Deprecation | undefined {
    return used.toSorted((a, b) => a.#sunset.getTime() - b.#sunset.getTime())[0];
  }
}

function readDay(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(`${text}T`)) throw new Error(`no day: ${text}`);
  return day;
}
