import { sql } from "kysely";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { isPostgres } from "#storage/is-postgres";
import { jsonMember } from "#storage/json-member";
import type { CallLimitColumns } from "#storage/limit-tables";
import type { ServerToolRow } from "#storage/server-tables";
import type { WriteTrail } from "#storage/transaction";
import { type GuardVerdict, holdBlocked, isNewlyMarked, verdictOf } from "./guard-holds.ts";
import type { PinningServer } from "./pin.ts";
import { nextPin } from "./pins.ts";
import { toolSearchText } from "./search.ts";

/** A tool as `sync` read and sanitized it. */
export type SyncedTool = Pick<
  ServerToolRow,
  "upstream_name" | "slug" | "title" | "description" | "definition" | "digest" | "unseen" | "required_capabilities"
> &
  Partial<GuardVerdict>;

const LISTED = [
  "upstream_name",
  "slug",
  "title",
  "description",
  "enabled",
  "digest",
  "pin",
  "held",
  "unseen",
  "rejected_digest",
  "blocked_by",
  "required_capabilities",
] as const;
export interface ListedTool extends Pick<ServerToolRow, (typeof LISTED)[number]>, CallLimitColumns {
  /** The server's annotations as a JSON object; null if there are none. */
  readonly annotations: string | null;
}

export interface Replaced {
  /** Whether anything changed. */
  readonly changed: boolean;
  /** New and changed tools that wait for approval (GW-17). */
  readonly marked: readonly Pick<ServerToolRow, "slug" | "pin" | "held" | "digest" | "pinned_digest" | "blocked_by">[];
}

const IDS_PER_QUERY = 500;
const ROWS_PER_INSERT = 200;

/** `name` is the title. */
export interface EnabledTool extends Pick<ServerToolRow, "slug" | "description"> {
  readonly name: string;
}

/** The tools of each server as JSON text for `readEnabledTools`, because thousands of rows take longer. */
export async function enabledToolsOf(db: MainDb, serverIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (serverIds.length === 0) return new Map();
  const [list, tool] = isPostgres(db)
    ? [sql`json_agg`, sql`json_build_object`]
    : [sql`json_group_array`, sql`json_object`];
  const rows = await db
    .selectFrom("server_tools")
    .select("server_id")
    .select(
      sql<string>`cast(${list}(${tool}('name', title, 'slug', slug, 'description', description) order by position) as text)`.as(
        "tools",
      ),
    )
    .where("server_id", "in", serverIds)
    .where("enabled", "=", true)
    .where("held", "=", false)
    .groupBy("server_id")
    .execute();
  return new Map(rows.map((row) => [row.server_id, row.tools]));
}

export function readEnabledTools(json: string): EnabledTool[] {
  return JSON.parse(json);
}

/** For each of these connectors, the tools that the first of its servers lists. Connectors without any are missing. */
export async function toolsOfConnectors(
  db: MainDb,
  connectorIds: readonly string[],
): Promise<ReadonlyMap<string, readonly { readonly name: string; readonly description: string }[]>> {
  const rows = await db
    .selectFrom("server_tools")
    .innerJoin("mcp_servers", "mcp_servers.id", "server_tools.server_id")
    .select(["mcp_servers.connector_id", "server_id", "upstream_name as name", "server_tools.description"])
    .where("mcp_servers.connector_id", "in", idList(db, connectorIds))
    .where("server_tools.listed", "=", true)
    .orderBy("mcp_servers.slug")
    .orderBy("server_tools.position")
    .execute();
  const found = new Map<
    string,
    { readonly serverId: string; readonly tools: { name: string; description: string }[] }
  >();
  for (const { connector_id: id, server_id: serverId, name, description } of rows) {
    const first = found.get(id ?? "") ?? { serverId, tools: [] };
    if (first.serverId === serverId) first.tools.push({ name, description });
    found.set(id ?? "", first);
  }
  return new Map([...found].map(([id, { tools }]) => [id, tools]));
}

const SELECTABLE = ["server_id", "upstream_name", "slug", "enabled", "held", "created_at"] as const;
export type SelectableTool = Pick<ServerToolRow, (typeof SELECTABLE)[number]>;

/** The tools of these servers that a group can grant, by server, in the order in which they are listed. */
export async function selectableToolsOf(
  db: MainDb,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SelectableTool[]>> {
  if (serverIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("server_tools")
    .select(SELECTABLE)
    .where("server_id", "in", idList(db, serverIds))
    .where("listed", "=", true)
    .orderBy("server_id")
    .orderBy("position")
    .execute();
  return Map.groupBy(rows, (row) => row.server_id);
}

/** All tools that the upstream lists, in its order, enabled or not. */
export async function listedToolsOf(db: MainDb, serverId: string): Promise<ListedTool[]> {
  return listedTools(db, serverId).orderBy("position").execute();
}

function listedTools(db: MainDb, serverId: string) {
  return db
    .selectFrom("server_tools")
    .leftJoin("tool_limits", (join) =>
      join
        .onRef("tool_limits.server_id", "=", "server_tools.server_id")
        .onRef("tool_limits.tool_name", "=", "server_tools.upstream_name"),
    )
    .select([...LISTED, "calls_per_minute", "concurrent_calls"])
    .select(jsonMember(db, "definition", "annotations").as("annotations"))
    .where("server_tools.server_id", "=", serverId)
    .where("listed", "=", true);
}

/** One of `listedToolsOf` with its definition. */
export async function findListedTool(
  db: MainDb,
  serverId: string,
  slug: string,
): Promise<(ListedTool & Pick<ServerToolRow, "definition">) | undefined> {
  return listedTools(db, serverId).select("definition").where("slug", "=", slug).executeTakeFirst();
}

export async function switchTools(
  tx: MainTransaction,
  trail: WriteTrail,
  serverId: string,
  tools: readonly ListedTool[],
  enabled: boolean,
  now: number,
): Promise<void> {
  const names = tools.map((tool) => tool.upstream_name);
  await tx
    .updateTable("server_tools")
    .set({ enabled, updated_at: now })
    .where("server_id", "=", serverId)
    .where("upstream_name", "in", idList(tx, names))
    .execute();
  trail.changed("server", serverId);
}

export async function enabledToolCounts(db: MainDb, serverIds: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let start = 0; start < serverIds.length; start += IDS_PER_QUERY) {
    const rows = await db
      .selectFrom("server_tools")
      .select((select) => ["server_id", select.fn.countAll<number>().as("n")])
      .where("server_id", "in", serverIds.slice(start, start + IDS_PER_QUERY))
      .where("enabled", "=", true)
      .where("held", "=", false)
      .groupBy("server_id")
      .execute();
    for (const row of rows) counts.set(row.server_id, row.n);
  }
  return counts;
}

/**
 * Replaces the stored tools with those that the upstream lists. A disabled tool stays stored even while the upstream
 * does not list it, so that it cannot come back enabled. `keepsGated`: tools that need capabilities were not read.
 */
export async function replaceTools(
  tx: MainTransaction,
  trail: WriteTrail,
  server: PinningServer,
  { tools, keepsGated = false }: { readonly tools: readonly SyncedTool[]; readonly keepsGated?: boolean },
  now: number,
): Promise<Replaced> {
  const serverId = server.id;
  const present = await tx.selectFrom("server_tools").selectAll().where("server_id", "=", serverId).execute();
  const known = new Map(present.map((row) => [row.upstream_name, row]));
  const next = tools.map((tool, position) => {
    const before = known.get(tool.upstream_name);
    return {
      ...tool,
      ...nextDefinition(server, before, tool),
      server_id: serverId,
      position,
      enabled: before?.enabled ?? true,
      listed: true,
      created_at: before?.created_at ?? now,
      updated_at: now,
    };
  });
  const listed = new Set(next.map((row) => row.upstream_name));
  const taken = new Set(next.map((row) => row.slug));
  const kept = present
    .filter((row) => !listed.has(row.upstream_name) && !taken.has(row.slug))
    .flatMap((row) => {
      if (keepsGated && row.listed && row.required_capabilities.length > 0) return [row];
      return row.enabled ? [] : [{ ...row, listed: false }];
    });
  const marked = next.filter((row) => isNewlyMarked(row, known.get(row.upstream_name)));
  if (sameTools(present, [...next, ...kept])) {
    await storeGuardsKey(tx, serverId, next);
    return { changed: false, marked };
  }
  await tx.deleteFrom("server_tools").where("server_id", "=", serverId).execute();
  const rows = [...next, ...kept];
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("server_tools")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
  trail.changed("server", serverId);
  return { changed: true, marked };
}

/** Callers see no difference, so nothing is published. */
async function storeGuardsKey(
  tx: MainTransaction,
  serverId: string,
  rows: readonly Pick<ServerToolRow, "upstream_name" | "guards_key">[],
): Promise<void> {
  for (const [key, evaluated] of Map.groupBy(rows, (row) => row.guards_key)) {
    const names = evaluated.map((row) => row.upstream_name);
    await tx
      .updateTable("server_tools")
      .set({ guards_key: key })
      .where("server_id", "=", serverId)
      .where("upstream_name", "in", idList(tx, names))
      .where("guards_key", "is distinct from", key)
      .execute();
  }
}

/** A rejected definition is ignored: the tool keeps the row that it has. */
function nextDefinition(server: PinningServer, before: ServerToolRow | undefined, tool: SyncedTool) {
  if (before && server.tools_synced_at !== null && before.rejected_digest === tool.digest) {
    const { title, description, definition, digest, unseen, pin, held, rejected_digest } = before;
    const { pinned_definition, pinned_digest } = before;
    const kept = { title, description, definition, digest, unseen, search_text: toolSearchText(tool.slug, title) };
    const { blocked_by, guards_key, reviewed_digest } = before;
    const guarded = { blocked_by, guards_key, reviewed_digest };
    return { ...kept, pin, held, pinned_definition, pinned_digest, rejected_digest, ...guarded };
  }
  const pin = nextPin(server, before, tool.digest);
  const guarded = holdBlocked(pin, server, before, tool.digest, verdictOf(tool));
  return { search_text: toolSearchText(tool.slug, tool.title), ...guarded };
}

/** After the upstream changed. Only disabled tools are remembered. */
export async function forgetEnabledTools(tx: MainTransaction, trail: WriteTrail, serverId: string): Promise<void> {
  await tx.deleteFrom("server_tools").where("server_id", "=", serverId).where("enabled", "=", true).execute();
  await tx.updateTable("server_tools").set({ listed: false }).where("server_id", "=", serverId).execute();
  trail.changed("server", serverId);
}

function sameTools(present: readonly ServerToolRow[], next: readonly ServerToolRow[]): boolean {
  const text = (rows: readonly ServerToolRow[]) =>
    rows
      .map((row) =>
        JSON.stringify([
          ...[row.upstream_name, row.slug, row.title, row.definition, row.position],
          ...[row.enabled, row.listed, row.digest, row.pin, row.held, row.search_text, row.rejected_digest],
          ...[row.blocked_by, row.reviewed_digest],
          ...row.required_capabilities,
        ]),
      )
      .sort()
      .join("\n");
  return text(present) === text(next);
}
