import type { Era } from "../../snapshot/shape.ts";

const RECHECK_AFTER_MS = 24 * 60 * 60 * 1000;

export function otherEra(era: Era): Era {
  return era === "modern" ? "legacy" : "modern";
}

export function sameEras(one: readonly Era[], other: readonly Era[]): boolean {
  return one.length === other.length && one.every((era) => other.includes(era));
}

/**
 * Which eras an upstream speaks, as far as we know: a set, since it may speak both, and dated, since a verdict "legacy
 * only" would never correct itself otherwise.
 */
export class SpokenEras {
  readonly #known = new Map<Era, { readonly spoken: boolean; readonly at: number }>();

  /** `eras` as recorded: all that it speaks, or nothing when it was never asked. */
  constructor(eras: readonly Era[], now: number) {
    if (eras.length === 0) return;
    for (const era of ["modern", "legacy"] as const) this.learn(era, eras.includes(era), now);
  }

  get isKnown(): boolean {
    return this.#known.size > 0;
  }

  /** Undefined: not known. */
  speaks(era: Era): boolean | undefined {
    return this.#known.get(era)?.spoken;
  }

  /** The caller's era where the upstream speaks it, else the one to bridge to; undefined: it must be asked. */
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

  /** The whole set, once both eras are decided. */
  eras(): Era[] | undefined {
    if (this.#known.size < 2) return undefined;
    return [...this.#known].filter(([, { spoken }]) => spoken).map(([era]) => era);
  }

  /** True once a day, for the first that asks: "not spoken" may have ceased to be true. */
  dueForRecheck(era: Era, now: number): boolean {
    const verdict = this.#known.get(era);
    if (!verdict || verdict.spoken || now - verdict.at < RECHECK_AFTER_MS) return false;
    this.learn(era, false, now);
    return true;
  }
}
