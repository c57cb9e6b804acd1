import { fold } from "#lib/fold";
import type { Member } from "#lib/json/scan";

/**
 * Finds keys that another parser could take for one of `known`, such as `Method` or `paramſ`: what we decide on must be
 * what the upstream reads (GW-7, CVE-2026-27896).
 */
export class StrictKeys {
  readonly #known: ReadonlySet<string>;
  readonly #folded: ReadonlySet<string>;

  constructor(known: readonly string[]) {
    this.#known = new Set(known);
    this.#folded = new Set(known.map(fold));
  }

  /** The first key that only looks like a known one. */
  lookalike(members: ReadonlyMap<string, Member>): string | undefined {
    for (const key of members.keys()) {
      if (!this.#known.has(key) && this.#folded.has(fold(key))) return key;
    }
    return undefined;
  }
}
