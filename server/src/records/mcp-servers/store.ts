import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";
import { firstFreeAttempt, slugCandidate } from "#lib/slug";
import { endpointKey } from "#lib/web-url";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import type { McpServerRow, ServerStatus } from "#storage/server-tables";

export interface ServerFilter {
  readonly status: ServerStatus | undefined;
  readonly search: string | undefined;
  readonly authType?: McpServerRow["auth_type"] | undefined;
  /** Only those at which an admin has something to mend. */
  readonly needsAttention?: boolean;
  /** Only servers that members of this group can use. */
  readonly group: { readonly id: string; readonly showsDrafts: boolean } | undefined;
}

/** Name and description, folded: what `search` looks through. */
export function serverSearchText(name: string, description: string): string {
  return `${fold(name)}\n${fold(description)}`;
}

function filtered(db: MainDb, { status, search, authType, needsAttention, group }: ServerFilter) {
  let query = db.selectFrom("mcp_servers");
  if (status !== undefined) query = query.where("status", "=", status);
  if (search !== undefined) query = query.where(contains("search_text", search));
  if (authType !== undefined) query = query.where("auth_type", "=", authType);
  if (needsAttention) query = query.where(isInTrouble());
  if (group) {
    query = query.where("id", "in", (links) =>
      links.selectFrom("group_servers").select("server_id").where("group_id", "=", group.id),
    );
    if (!group.showsDrafts) query = query.where("status", "=", "active");
  }
  return query;
}

/** What `needsSetup` says of a row, its tools could not be read, tools wait to be accepted, or users must connect again. */
function isInTrouble(): RawBuilder<SqlBool> {
  const unknown = (key: string) => sql<SqlBool>`auth_settings ->> ${sql.lit(key)} is null`;
  return sql<SqlBool>`(
    upstream_url is null or sync_error is not null
    or (auth_type = 'proxy-oauth' and ${unknown("clientId")} and ${unknown("registrationUrl")}
      and discovered_oauth ->> 'registrationEndpoint' is null
      and coalesce(cast(discovered_oauth ->> 'readsClientDocuments' as text), '') not in ('true', '1'))
    or exists (select 1 from server_tools where server_id = mcp_servers.id and pin <> 'accepted')
    or exists (select 1 from connections where server_id = mcp_servers.id and state = 'reconnect_needed'))`;
}

export type ServerSort = "created" | "name" | "tools" | "synced";

/** Each has one order, by id where it knows none, so that pages fit together. */
const SORT_KEYS: Readonly<Record<ServerSort, RawBuilder<unknown>>> = {
  created: sql.ref("created_at"),
  // Begins with the name, folded.
  name: sql.ref("search_text"),
  tools: sql`(select count(*) from server_tools
    where server_id = mcp_servers.id and enabled = ${sql.lit(true)} and held = ${sql.lit(false)})`,
  // Never is longest ago, in both databases.
  synced: sql`coalesce(tools_synced_at, 0)`,
};

export async function listServers(
  db: MainDb,
  filter: ServerFilter,
  page: {
    readonly offset: number;
    readonly limit: number;
    readonly sort?: ServerSort;
    readonly order?: "asc" | "desc";
  },
): Promise<McpServerRow[]> {
  const { offset, limit, sort = "created", order = "asc" } = page;
  return filtered(db, filter)
    .selectAll()
    .orderBy(SORT_KEYS[sort], order)
    .orderBy("id", order)
    .offset(offset)
    .limit(limit)
    .execute();
}

export async function countServers(db: MainDb, filter: ServerFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findServer(db: MainDb, slug: string): Promise<McpServerRow | undefined> {
  return db.selectFrom("mcp_servers").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function findServerById(db: MainDb, id: string): Promise<McpServerRow | undefined> {
  return db.selectFrom("mcp_servers").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Where users sign in by OAuth. */
export async function oauthServerIds(db: MainDb): Promise<string[]> {
  const rows = await db.selectFrom("mcp_servers").select("id").where("auth_type", "=", "proxy-oauth").execute();
  return rows.map(({ id }) => id);
}

/** Those that come, or once came, from the operator's file. */
export async function localServers(db: MainDb): Promise<McpServerRow[]> {
  return db.selectFrom("mcp_servers").selectAll().where("is_local", "=", true).execute();
}

/** Servers that were made from this connector, or that point at this endpoint; oldest first. */
export async function serversUsing(
  db: MainDb,
  { connectorId, endpointKey: key }: { connectorId: string | undefined; endpointKey: string | undefined },
): Promise<McpServerRow[]> {
  return db
    .selectFrom("mcp_servers")
    .selectAll()
    .where((where) =>
      where.or([
        ...(connectorId === undefined ? [] : [where("connector_id", "=", connectorId)]),
        ...(key === undefined ? [] : [where("endpoint_key", "=", key)]),
      ]),
    )
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export interface UsageCount {
  readonly count: number;
  /** Of the first of these servers, by slug. */
  readonly slug: string;
}

/** How many servers use each of these connectors, and each of these endpoints; those that nobody uses are left out. */
export async function countServersUsing(
  db: MainDb,
  { connectorIds, endpointKeys }: { connectorIds: readonly string[]; endpointKeys: readonly string[] },
): Promise<ReadonlyMap<string, UsageCount>> {
  const count = async (column: "connector_id" | "endpoint_key", values: readonly string[]) =>
    db
      .selectFrom("mcp_servers")
      .select((select) => [column, select.fn.countAll<number>().as("count"), select.fn.min<string>("slug").as("slug")])
      .where(sql<boolean>`${sql.ref(column)} in ${idList(db, values)}`)
      .groupBy(column)
      .execute();
  const rows = [...(await count("connector_id", connectorIds)), ...(await count("endpoint_key", endpointKeys))];
  return new Map(rows.map((row) => [usedKey(row), { count: row.count, slug: row.slug }]));
}

function usedKey(row: { readonly connector_id: string | null } | { readonly endpoint_key: string | null }): string {
  return ("connector_id" in row ? row.connector_id : row.endpoint_key) ?? "";
}

export async function lockServer(tx: MainTransaction, slug: string): Promise<McpServerRow | undefined> {
  return lockRows(tx, tx.selectFrom("mcp_servers").selectAll().where("slug", "=", slug)).executeTakeFirst();
}

export async function findServersBySlug(db: MainDb, slugs: readonly string[]): Promise<McpServerRow[]> {
  if (slugs.length === 0) return [];
  return db.selectFrom("mcp_servers").selectAll().where("slug", "in", slugs).execute();
}

/** When a server's tools are to be read again: one that failed soon, one that was read well later. */
export interface SyncDue {
  readonly failedBefore: number;
  readonly readBefore: number;
}

/** Those that have waited longest come first, so that many dead servers cannot keep the others from their turn. */
export async function serverIdsDueForSync(
  db: MainDb,
  { failedBefore, readBefore }: SyncDue,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("mcp_servers")
    .select(["id", (select) => select.fn.coalesce("sync_tried_at", sql.lit(0)).as("tried_at")])
    .where("upstream_url", "is not", null)
    .where((where) => where.or([where("auth_type", "=", "none"), where("sync_user_id", "is not", null)]))
    // A local server would have to be started for it: it is read when its process begins to serve, and when that failed.
    .where((where) => where.or([where("is_local", "=", false), where("sync_error", "is not", null)]))
    .where((where) =>
      where.or([
        where("sync_tried_at", "is", null),
        where("sync_tried_at", "<", readBefore),
        where.and([where("sync_error", "is not", null), where("sync_tried_at", "<", failedBefore)]),
      ]),
    )
    .orderBy("tried_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Inserts under the wanted slug or the first free one after it (Spec 2.2). A constraint error would end a Postgres
 * transaction, so a lost race shows as "nothing inserted" and the next number is tried.
 */
export async function insertServer(tx: MainTransaction, row: McpServerRow): Promise<string> {
  let attempt = firstFreeAttempt(row.slug, await takenSlugs(tx, row.slug));
  for (;;) {
    const slug = slugCandidate(row.slug, attempt);
    if (await insertServerAs(tx, { ...row, slug })) return slug;
    attempt++;
  }
}

/** Under this slug and no other. False when it is taken. */
export async function insertServerAs(tx: MainTransaction, row: McpServerRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("mcp_servers")
    .values({ ...row, ...keyOf(row.upstream_url) })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returning("slug")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** The slug that a rename to `wanted` results in; its own present slug does not stand in its way. */
export async function freeSlugForRename(tx: MainTransaction, server: McpServerRow, wanted: string): Promise<string> {
  const taken = await takenSlugs(tx, wanted);
  taken.delete(server.slug);
  return slugCandidate(wanted, firstFreeAttempt(wanted, taken));
}

async function takenSlugs(tx: MainTransaction, wanted: string): Promise<Set<string>> {
  // A suffix may shorten the wanted slug to make room, so look for everything that shares its first letters.
  const rows = await tx
    .selectFrom("mcp_servers")
    .select("slug")
    .where((where) => where.or([where("slug", "=", wanted), where("slug", "like", `${wanted.slice(0, 30)}%`)]))
    .execute();
  return new Set(rows.map((row) => row.slug));
}

export async function updateServer(
  tx: MainTransaction,
  id: string,
  changes: Partial<Omit<McpServerRow, "id" | "created_at">>,
): Promise<void> {
  const key = changes.upstream_url === undefined ? {} : keyOf(changes.upstream_url);
  await tx
    .updateTable("mcp_servers")
    .set({ ...changes, ...key })
    .where("id", "=", id)
    .execute();
}

/** Goes wherever the address goes, so that usage of a connector is one indexed look. */
function keyOf(url: string | null): { endpoint_key: string | null } {
  return { endpoint_key: url === null ? null : endpointKey(url) };
}

export async function deleteServer(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("mcp_servers").where("id", "=", id).execute();
}

/** What an old address did is not said of the new one. Answers whether the sentence is another one than before. */
export async function noteSyncError(
  tx: MainTransaction,
  server: Pick<McpServerRow, "id" | "upstream_url">,
  sentence: string,
  now: number,
): Promise<boolean> {
  const present = await lockRows(
    tx,
    tx
      .selectFrom("mcp_servers")
      .select("sync_error")
      .where("id", "=", server.id)
      .where("upstream_url", "=", server.upstream_url),
  ).executeTakeFirst();
  if (!present) return false;
  await updateServer(tx, server.id, { sync_error: sentence, sync_tried_at: now });
  return present.sync_error !== sentence;
}
