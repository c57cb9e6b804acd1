import type { MainDb } from "#storage/database";
import type { DiscoveryDeviceRow, DiscoveryItemRow } from "#storage/discovery-tables";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";

export type FoundItem = Pick<DiscoveryItemRow, "kind" | "key" | "name" | "devices_count">;

/** Items that some device has, best match first. */
export async function searchItems(db: MainDb, terms: SearchTerms, limit: number): Promise<FoundItem[]> {
  return db
    .selectFrom("discovery_items")
    .select(["kind", "key", "name", "devices_count"])
    .where(containsAll("search_text", terms))
    .where("devices_count", ">", 0)
    .orderBy(matchRank(terms, { nameFirst: ["search_text"] }))
    .orderBy("devices_count", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export type FoundDevice = Pick<DiscoveryDeviceRow, "id" | "hostname" | "assigned_email" | "reported_email">;

export async function searchDevices(db: MainDb, terms: SearchTerms, limit: number): Promise<FoundDevice[]> {
  return db
    .selectFrom("discovery_devices")
    .select(["id", "hostname", "assigned_email", "reported_email"])
    .where(containsAll("search_text", terms))
    .orderBy(matchRank(terms, { names: ["search_text"] }))
    .orderBy("id")
    .limit(limit)
    .execute();
}
