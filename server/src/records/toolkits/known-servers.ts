import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import type { McpServerRow, ServerToolRow } from "#storage/server-tables";
import type { ToolkitRow } from "#storage/toolkit-tables";
import { namedServers } from "./servers.ts";

export interface KnownTool extends Pick<ServerToolRow, "upstream_name" | "slug"> {
  /** Enabled and not held for review. */
  readonly usable: boolean;
  /** Only for tools whose arguments the toolkit changes. */
  readonly definition: string | undefined;
}

/** A server that a toolkit names, with the lists of its last sync. */
export interface KnownServer extends Pick<McpServerRow, "slug" | "status"> {
  readonly synced: boolean;
  /** By the server's name of the tool, in the order in which they are listed. */
  readonly tools: ReadonlyMap<string, KnownTool>;
  readonly prompts: ReadonlySet<string>;
  /** URIs and URI templates. */
  readonly resources: ReadonlySet<string>;
}

/** By slug. Servers that do not exist are missing. */
export type KnownServers = ReadonlyMap<string, KnownServer>;

type Entries = Pick<ToolkitRow, "tools" | "prompts" | "resources">;

/**
 * Before a toolkit is saved. Locks its servers, so that a rename at the same time either waits and follows the saved
 * entries, or comes first.
 */
export async function lockServersOf(tx: MainTransaction, toolkit: Entries): Promise<KnownServers> {
  const named = tx
    .selectFrom("mcp_servers")
    .select("id")
    .where("slug", "in", idList(tx, namedServers(toolkit)))
    .orderBy("id");
  await lockRows(tx, named).execute();
  return knownServersOf(tx, [toolkit]);
}

/** The servers that these toolkits name. */
export async function knownServersOf(db: MainDb, toolkits: readonly Entries[]): Promise<KnownServers> {
  const slugs = [...new Set(toolkits.flatMap(namedServers))];
  if (slugs.length === 0) return new Map();
  const servers = await db
    .selectFrom("mcp_servers")
    .select(["id", "slug", "status", "tools_synced_at"])
    .where("slug", "in", idList(db, slugs))
    .execute();
  const ids = servers.map(({ id }) => id);
  const tools = Map.groupBy(await toolsOf(db, ids, toolkits), (tool) => tool.server_id);
  const items = Map.groupBy(await itemsOf(db, ids), (item) => item.server_id);
  return new Map(
    servers.map(({ id, slug, status, tools_synced_at }) => {
      const listed = (tools.get(id) ?? []).map((tool): [string, KnownTool] => [tool.upstream_name, tool]);
      const named = (...kinds: string[]) =>
        new Set((items.get(id) ?? []).filter(({ kind }) => kinds.includes(kind)).map((item) => item.upstream_name));
      const lists = { prompts: named("prompt"), resources: named("resource", "resource_template") };
      return [slug, { slug, status, synced: tools_synced_at !== null, tools: new Map(listed), ...lists }];
    }),
  );
}

/** Definitions are long, so only those that are needed are read. */
async function toolsOf(db: MainDb, serverIds: readonly string[], toolkits: readonly Entries[]) {
  const changed = toolkits.flatMap(({ tools }) => tools.filter((entry) => entry.arguments).map(({ tool }) => tool));
  const rows = await db
    .selectFrom("server_tools")
    .select(["server_id", "upstream_name", "slug", "enabled", "held"])
    .select((select) =>
      select
        .case()
        .when("upstream_name", "in", idList(db, [...new Set(changed)]))
        .then(select.ref("definition"))
        .end()
        .as("definition"),
    )
    .where("server_id", "in", idList(db, serverIds))
    .where("listed", "=", true)
    .orderBy("server_id")
    .orderBy("position")
    .execute();
  return rows.map(({ enabled, held, definition, ...tool }) => ({
    ...tool,
    usable: enabled && !held,
    definition: definition ?? undefined,
  }));
}

async function itemsOf(db: MainDb, serverIds: readonly string[]) {
  return db
    .selectFrom("server_items")
    .select(["server_id", "kind", "upstream_name"])
    .where("server_id", "in", idList(db, serverIds))
    .where("kind", "<>", "instructions")
    .execute();
}
