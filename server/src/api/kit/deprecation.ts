/** Spec 8, 9.4: the minimum time between deprecation and removal. */
const MIN_NOTICE_MONTHS = 6;

/** Calendar days, UTC. */
export interface Notice {
  readonly since: string;
  readonly sunset: string;
}

/** When something was deprecated and when it will be removed. A notice that is too short throws at startup. */
export class Deprecation {
  readonly #since: Date;
  readonly #sunset: Date;

  constructor({ since, sunset }: Notice) {
    this.#since = readDay(since);
    this.#sunset = readDay(sunset);
    const soonest = new Date(this.#since);
    soonest.setUTCMonth(soonest.getUTCMonth() + MIN_NOTICE_MONTHS);
    if (this.#sunset < soonest)
      throw new Error(`deprecated since ${since} and removed on ${sunset}: the notice must be at least six months`);
  }

  /** RFC 9745 and RFC 8594. */
  headers(): Record<"deprecation" | "sunset", string> {
    return { deprecation: `@${this.#since.getTime() / 1000}`, sunset: this.#sunset.toUTCString() };
  }

  /** If a request uses several deprecated features, the response reports the earliest sunset. */
  static soonest(used: readonly Deprecation[]): Deprecation | undefined {
    return used.toSorted((a, b) => a.#sunset.getTime() - b.#sunset.getTime())[0];
  }
}

function readDay(text: string): Date {
  const day = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(`${text}T`)) throw new Error(`not a date: ${text}`);
  return day;
}
