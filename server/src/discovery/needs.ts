import type { NewId } from "#lib/ids";
import type { MainDb } from "#storage/database";
import type { FactsCache } from "./decide.ts";
import type { KnownFacts, KnownItem } from "./known-facts.ts";
import type { CurrentPolicy } from "./policy-reader.ts";

/** What a transaction needs to decide about instances. */
export interface DiscoveryNeeds {
  readonly now: number;
  readonly newId: NewId;
  /** Servers at these URLs are managed. */
  readonly gatewayUrls: readonly string[];
  readonly facts: FactsCache;
  readPolicy(db: MainDb): Promise<CurrentPolicy>;
  /** What is known about these items here. */
  readKnown(db: MainDb, items: readonly KnownItem[]): Promise<KnownFacts>;
  /** Yields to the calls at the gateway. */
  nextTurn(): Promise<void>;
}
