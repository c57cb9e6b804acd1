import type { NewId } from "#lib/ids";
import type { MainDb } from "#storage/database";
import type { DiscoveryItemRow } from "#storage/discovery-tables";
import type { KnownFacts } from "./known-facts.ts";
import type { CurrentPolicy } from "./policy-reader.ts";
import type { CheckedReport } from "./report.ts";
import type { SentReport } from "./sent-report.ts";

export type KnownItem = Pick<DiscoveryItemRow, "kind" | "key" | "endpoint_key">;

/** What a transaction needs to decide about instances. */
export interface DiscoveryNeeds {
  readonly now: number;
  readonly newId: NewId;
  /** Servers at these URLs are managed. */
  readonly gatewayUrls: readonly string[];
  check(sent: SentReport): Promise<CheckedReport>;
  readPolicy(db: MainDb): Promise<CurrentPolicy>;
  /** What is known about these items here. */
  readKnown(db: MainDb, items: readonly KnownItem[]): Promise<KnownFacts>;
  /** Yields to the calls at the gateway. */
  nextTurn(): Promise<void>;
}
