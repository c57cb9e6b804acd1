import { fold } from "#lib/fold";
import type { Member } from "#lib/json/scan";

/**
 * Finds keys that a more lenient parser could read as one of `known`, such as `Method` or `paramſ`, so that the gateway
 * and the upstream never read a message differently (GW-7, CVE-2026-27896).
 */
export class StrictKeys {
  readonly #known: ReadonlySet<string>;
  readonly #folded: ReadonlySet<string>;

  constructor(known: readonly string[]) {
    this.#known = new Set(known);
    this.#folded = new Set(known.map(fold));
  }

  /** Returns the first key that differs from a known key but folds to the same text. */
  lookalike(members: ReadonlyMap<string, Member>): string | undefined {
    for (const key of members.keys()) {
      if (!this.#known.has(key) && this.#folded.has(fold(key))) return key;
    }
    return undefined;
  }
}
