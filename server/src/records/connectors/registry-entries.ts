import { sql } from "kysely";
import { contains } from "#storage/contains";
import type { MainDb } from "#storage/database";
import { idList } from "#storage/id-list";
import type { RegistryEntryRow } from "#storage/server-tables";
import type { ConnectorFilter } from "./order-and-search.ts";

/** Entries of the registry, without those at `covered` endpoints, which have a built-in connector (D31). */
function filtered(db: MainDb, { search }: ConnectorFilter, covered: readonly string[]) {
  const query = db.selectFrom("registry_entries").where(sql<boolean>`endpoint_key not in ${idList(db, covered)}`);
  return search === undefined ? query : query.where(contains("search_text", search));
}

export async function listRegistryEntries(
  db: MainDb,
  filter: ConnectorFilter,
  covered: readonly string[],
  page: { readonly offset: number; readonly limit: number },
): Promise<RegistryEntryRow[]> {
  if (page.limit === 0) return [];
  const query = filtered(db, filter, covered).selectAll().orderBy("sort_key");
  return query.offset(page.offset).limit(page.limit).execute();
}

export async function countRegistryEntries(
  db: MainDb,
  filter: ConnectorFilter,
  covered: readonly string[],
): Promise<number> {
  const { n } = await filtered(db, filter, covered)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findRegistryEntry(db: MainDb, id: string): Promise<RegistryEntryRow | undefined> {
  return db.selectFrom("registry_entries").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The entry of each of these endpoints. Endpoints without one are missing. */
export async function registryIdsOf(db: MainDb, endpointKeys: readonly string[]): Promise<Map<string, string>> {
  if (endpointKeys.length === 0) return new Map();
  const rows = await db
    .selectFrom("registry_entries")
    .select(["id", "endpoint_key"])
    .where(sql<boolean>`endpoint_key in ${idList(db, endpointKeys)}`)
    .orderBy("id", "desc")
    .execute();
  return new Map(rows.map(({ id, endpoint_key: key }) => [key, id]));
}
