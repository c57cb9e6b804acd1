import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";
import { firstFreeAttempt, slugCandidate } from "#lib/slug";
import { endpointKey } from "#lib/web-url";
import { requestEvaluationOfEndpoints } from "#records/discovery";
import { accessibleServerLinks, serverLinks } from "#records/groups";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import type { McpServerRow, ServerStatus } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";
import { followNewEndpoint, followNewSlug } from "./follow-changes.ts";

export interface ServerFilter {
  readonly status: ServerStatus | undefined;
  readonly search: string | undefined;
  readonly authType?: McpServerRow["auth_type"] | undefined;
  /** Only servers that an admin must fix: those with a problem in their records, and these slugs, whose calls fail. */
  readonly needsAttention?: { readonly failing: readonly string[] } | undefined;
  /** Only servers of this group; with `onlyAccessible`, only those that its members have access to. */
  readonly group: { readonly id: string; readonly onlyAccessible: boolean } | undefined;
}

/** Folded name and description, for `search`. */
export function serverSearchText(name: string, description: string): string {
  return `${fold(name)}\n${fold(description)}`;
}

function filtered(db: MainDb, { status, search, authType, needsAttention, group }: ServerFilter) {
  let query = db.selectFrom("mcp_servers");
  if (status !== undefined) query = query.where("status", "=", status);
  if (search !== undefined) query = query.where(contains("search_text", search));
  if (authType !== undefined) query = query.where("auth_type", "=", authType);
  if (needsAttention) query = query.where(needsAttentionRule(db, needsAttention.failing));
  if (group) {
    const links = group.onlyAccessible ? accessibleServerLinks(db) : db.selectFrom("group_servers");
    query = query.where(
      "id",
      "in",
      links.select("group_servers.server_id").where("group_servers.group_id", "=", group.id),
    );
  }
  return query;
}

/** `needsSetup` in SQL, or the last sync failed, calls fail, tools wait for review, or users must reconnect. */
function needsAttentionRule(db: MainDb, failing: readonly string[]): RawBuilder<SqlBool> {
  const unknown = (key: string) => sql<SqlBool>`auth_settings ->> ${sql.lit(key)} is null`;
  return sql<SqlBool>`(
    upstream_url is null or sync_error is not null or slug in ${idList(db, failing)}
    or (auth_type = 'proxy-oauth' and ${unknown("clientId")} and ${unknown("registrationUrl")}
      and discovered_oauth ->> 'registrationEndpoint' is null
      and coalesce(cast(discovered_oauth ->> 'readsClientDocuments' as text), '') not in ('true', '1'))
    or exists (select 1 from server_tools where server_id = mcp_servers.id and pin <> 'accepted'
      and (rejected_digest is null or rejected_digest <> digest))
    or exists (select 1 from server_items where server_id = mcp_servers.id and pin <> 'accepted'
      and (rejected_digest is null or rejected_digest <> digest))
    or (oauth_change is not null and oauth_change ->> 'isKept' is null)
    or exists (select 1 from connections where server_id = mcp_servers.id and state = 'reconnect_needed'))`;
}

export type ServerSort = "created" | "name" | "tools" | "synced";

/** Ties are ordered by id, so that pages are consistent. */
const SORT_KEYS: Readonly<Record<ServerSort, RawBuilder<unknown>>> = {
  created: sql.ref("created_at"),
  // Starts with the folded name.
  name: sql.ref("search_text"),
  tools: sql`(select count(*) from server_tools
    where server_id = mcp_servers.id and enabled = ${sql.lit(true)} and held = ${sql.lit(false)})`,
  // Never synced sorts as oldest in both databases.
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

/** Servers that users connect to with OAuth. */
export async function oauthServerIds(db: MainDb): Promise<string[]> {
  const rows = await db.selectFrom("mcp_servers").select("id").where("auth_type", "=", "proxy-oauth").execute();
  return rows.map(({ id }) => id);
}

/** Servers that are, or once were, in the operator's file. */
export async function localServers(db: MainDb): Promise<McpServerRow[]> {
  return db.selectFrom("mcp_servers").selectAll().where("is_local", "=", true).execute();
}

/** Servers created from this connector or with this endpoint, oldest first. */
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
  /** The slug that sorts first among these servers. */
  readonly slug: string;
}

/** The number of servers for each of these connectors and endpoints. Unused ones are missing. */
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

/** When servers are due for a sync: failed ones sooner than successful ones. */
export interface SyncDue {
  readonly failedBefore: number;
  readonly readBefore: number;
}

/** Longest waiting first, so that many dead servers cannot starve the others. */
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
    // Syncing a local server would start its process. It is synced when its process starts, and again if that failed.
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
 * Inserts under the wanted slug or the first free one after it (Spec 2.2). A constraint error would abort a Postgres
 * transaction, so a taken slug is detected as "nothing inserted" and the next number is tried.
 */
export async function insertServer(tx: MainTransaction, trail: WriteTrail, row: McpServerRow): Promise<string> {
  let attempt = firstFreeAttempt(row.slug, await takenSlugs(tx, row.slug));
  for (;;) {
    const slug = slugCandidate(row.slug, attempt);
    if (await insertServerAs(tx, trail, { ...row, slug })) return slug;
    attempt++;
  }
}

/** Inserts under exactly this slug. Returns false if it is taken. */
export async function insertServerAs(tx: MainTransaction, trail: WriteTrail, row: McpServerRow): Promise<boolean> {
  const inserted = await tx
    .insertInto("mcp_servers")
    .values({ ...row, ...keyOf(row.upstream_url) })
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .returning("endpoint_key")
    .executeTakeFirst();
  if (!inserted) return false;
  await requestEvaluationOfEndpoints(tx, [inserted.endpoint_key]);
  trail.changed("server", row.id);
  return true;
}

/** The slug that a rename to `wanted` results in. The server's current slug counts as free. */
export async function freeSlugForRename(tx: MainTransaction, server: McpServerRow, wanted: string): Promise<string> {
  const taken = await takenSlugs(tx, wanted);
  taken.delete(server.slug);
  return slugCandidate(wanted, firstFreeAttempt(wanted, taken));
}

/**
 * `/mcp/mcp` is a gateway URL with the path twice, never a server. The others are prefixes of the gateway's own tools;
 * servers that already have such a slug keep it.
 */
const RESERVED_SLUGS = ["mcp", "gatehouse", "skills"];

async function takenSlugs(tx: MainTransaction, wanted: string): Promise<Set<string>> {
  // A suffix can shorten the wanted slug, so this reads all slugs with the same first letters.
  const rows = await tx
    .selectFrom("mcp_servers")
    .select("slug")
    .where((where) => where.or([where("slug", "=", wanted), where("slug", "like", `${wanted.slice(0, 30)}%`)]))
    .execute();
  return new Set([...RESERVED_SLUGS, ...rows.map((row) => row.slug)]);
}

export async function updateServer(
  tx: MainTransaction,
  trail: WriteTrail,
  id: string,
  changes: Partial<Omit<McpServerRow, "id" | "created_at">>,
): Promise<void> {
  const key = changes.upstream_url === undefined ? { endpoint_key: undefined } : keyOf(changes.upstream_url);
  if (changes.slug !== undefined) await followNewSlug(tx, trail, id, changes.slug);
  if (key.endpoint_key !== undefined) await followNewEndpoint(tx, id, key.endpoint_key);
  await tx
    .updateTable("mcp_servers")
    .set({ ...changes, ...key })
    .where("id", "=", id)
    .execute();
  trail.changed("server", id);
}

/** Stored with the URL, so that finding servers by endpoint is one indexed lookup. */
function keyOf(url: string | null): { endpoint_key: string | null } {
  return { endpoint_key: url === null ? null : endpointKey(url) };
}

/** Also deletes its tools, its connections and its links to groups. */
export async function deleteServer(tx: MainTransaction, trail: WriteTrail, id: string): Promise<void> {
  await serverLinks.noteMemberDeletion(tx, trail, id);
  const deleted = tx.deleteFrom("mcp_servers").where("id", "=", id).returning("endpoint_key");
  const keys = (await deleted.execute()).map(({ endpoint_key: key }) => key);
  await requestEvaluationOfEndpoints(tx, keys);
  trail.changed("server", id);
}

/** `server` is the locked row. Most syncs change nothing that is published, so this notes a change only if one did. */
export async function noteSyncSuccess(
  tx: MainTransaction,
  trail: WriteTrail,
  server: McpServerRow,
  eras: McpServerRow["eras"],
  now: number,
): Promise<void> {
  const synced = { tools_synced_at: now, sync_error: null, sync_failed_at: null, eras, sync_tried_at: now };
  await tx.updateTable("mcp_servers").set(synced).where("id", "=", server.id).execute();
  const erasChanged = JSON.stringify(server.eras) !== JSON.stringify(eras);
  if (server.tools_synced_at === null || server.sync_error !== null || erasChanged) trail.changed("server", server.id);
}

/** Does nothing and returns false if the server has a different URL or shared credential by now. */
export async function noteSyncError(
  tx: MainTransaction,
  trail: WriteTrail,
  server: Pick<McpServerRow, "id" | "upstream_url" | "sealed_shared_headers">,
  message: string,
  now: number,
): Promise<boolean> {
  const present = await lockRows(
    tx,
    tx
      .selectFrom("mcp_servers")
      .select(["sync_error", "sync_failed_at", "sealed_shared_headers"])
      .where("id", "=", server.id)
      .where("upstream_url", "=", server.upstream_url),
  ).executeTakeFirst();
  if (!present || present.sealed_shared_headers !== (server.sealed_shared_headers ?? null)) return false;
  const failed = { sync_error: message, sync_failed_at: present.sync_failed_at ?? now, sync_tried_at: now };
  await tx.updateTable("mcp_servers").set(failed).where("id", "=", server.id).execute();
  if (present.sync_error !== message) trail.changed("server", server.id);
  return true;
}
