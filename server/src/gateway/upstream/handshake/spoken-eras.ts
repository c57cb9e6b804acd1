import type { Era } from "../../snapshot/shape.ts";

const RECHECK_AFTER_MS = 24 * 60 * 60 * 1000;

export function otherEra(era: Era): Era {
  return era === "modern" ? "legacy" : "modern";
}

export function sameEras(one: readonly Era[], other: readonly Era[]): boolean {
  return one.length === other.length && one.every((era) => other.includes(era));
}

/**
 * The eras that an upstream is known to speak, which may be both. Each has a date, because "legacy only" must be checked
 * again at some point.
 */
export class SpokenEras {
  readonly #known = new Map<Era, { readonly spoken: boolean; readonly at: number }>();

  /** `eras` from the record: all that it speaks; empty when it was never checked. */
  constructor(eras: readonly Era[], now: number) {
    if (eras.length === 0) return;
    for (const era of ["modern", "legacy"] as const) this.learn(era, eras.includes(era), now);
  }

  get isKnown(): boolean {
    return this.#known.size > 0;
  }

  /** Undefined if unknown. */
  speaks(era: Era): boolean | undefined {
    return this.#known.get(era)?.spoken;
  }

  /** The wanted era if the upstream speaks it, else the era to bridge to. Undefined if it must be checked. */
  choose(wanted: Era): Era | undefined {
    const spoken = this.speaks(wanted);
    if (spoken === true) return wanted;
    return spoken === false && this.speaks(otherEra(wanted)) === true ? otherEra(wanted) : undefined;
  }

  learn(era: Era, spoken: boolean, now: number): void {
    this.#known.set(era, { spoken, at: now });
  }

  doubt(era: Era): void {
    this.#known.delete(era);
  }

  forget(): void {
    this.#known.clear();
  }

  /** Undefined until both eras are known. */
  eras(): Era[] | undefined {
    if (this.#known.size < 2) return undefined;
    return [...this.#known].filter(([, { spoken }]) => spoken).map(([era]) => era);
  }

  /** True once a day for the first caller: "not spoken" may be outdated. */
  dueForRecheck(era: Era, now: number): boolean {
    const known = this.#known.get(era);
    if (!known || known.spoken || now - known.at < RECHECK_AFTER_MS) return false;
    this.learn(era, false, now);
    return true;
  }
}
