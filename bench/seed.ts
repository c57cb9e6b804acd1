/** Fills a data directory directly through the stores: the API would take an hour for 100,000 users. */
import { mkdirSync } from "node:fs";
import { sql } from "kysely";
import { BUILT_IN_GUARDS } from "#guards/builtins";
import { systemClock } from "#lib/clock";
import { fold } from "#lib/fold";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { newApiToken } from "#lib/tokens";
import { endpointKey } from "#lib/web-url";
import { apiTokenHash, insertApiToken } from "#records/api-tokens";
import { insertMachineKey } from "#records/credentials";
import { insertGuard } from "#records/guards";
import { serverSearchText } from "#records/mcp-servers";
import { toolSearchText } from "#records/server-tools";
import { insertToolkit } from "#records/toolkits";
import { userSearchText } from "#records/users";
import type { MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { readOrCreateKeyFile } from "#storage/key-file";
import { migrate } from "#storage/migrate";
import { openDatabases } from "#storage/open-databases";
import { openVault } from "#storage/open-vault";
import { WriteTrail } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import { insertSkills } from "./seed-skills.ts";

export interface Size {
  readonly servers: number;
  readonly toolsPerServer: number;
  readonly toolBytes: number;
  readonly users: number;
  readonly groups: number;
  /** How many of the servers the first group holds; the first user is its only member. */
  readonly serversOfFirstUser: number;
  /**
   * Toolkits with least privilege; together they name every server with all its tools. The first half is for the first
   * group, the other half for the second one. The first group selects the tools of its other servers. Default: none.
   */
  readonly toolkits?: number;
  /** Active skills of the first group, and the number of files of each. Default: none. */
  readonly skills?: number;
  readonly filesPerSkill?: number;
  /** The built-in runtime guards, enabled on `log`: for all servers, or only for the last one. Default: none. */
  readonly guards?: "all" | "elsewhere";
}

export interface Seeded {
  readonly dataDir: string;
  readonly token: string;
  /** Of the first user. */
  readonly credential: string;
}

const newId = createIds(systemClock, systemRandom);
const BATCH = 200;

export async function seed(dataDir: string, upstreamUrl: string, size: Size, databaseUrl?: string): Promise<Seeded> {
  mkdirSync(dataDir, { recursive: true });
  const logger = createLogger("error");
  const databases = await openDatabases({ dataDir, databaseUrl, logger });
  await migrate(databases, systemClock);
  const vault = await openVault(databases.main, [readOrCreateKeyFile(`${dataDir}/gatehouse.key`)], {
    clock: systemClock,
    logger,
  });
  const token = newApiToken(systemRandom);
  const groupIds = Array.from({ length: size.groups }, () => newId("grp"));
  let credential = "";
  await databases.main.transaction().execute(async (tx) => {
    await insertToken(tx, token);
    await insertGroups(tx, groupIds);
    const serverIds = await insertServers(tx, upstreamUrl, size);
    await linkServers(tx, groupIds, serverIds, size.serversOfFirstUser);
    await insertToolkits(tx, groupIds, size);
    const { skills = 0, filesPerSkill: files = 1 } = size;
    await insertSkills(tx, newId, { groupId: groupIds[0] ?? "", skills, files });
    if (size.guards) await insertGuards(tx, size.guards === "all" ? [] : serverIds.slice(-1));
    credential = await insertUsers(tx, vault, groupIds, size.users);
    await tx.updateTable("change_counter").set({ revision: 1 }).execute();
    await tx
      .insertInto("changes")
      .values({ revision: 1, kind: "group", target_id: groupIds[0] ?? "" })
      .execute();
  });
  // Postgres plans badly without statistics; it would collect them only within the minute.
  if (databases.dialect === "postgres") await sql`ANALYZE`.execute(databases.main);
  await databases.close();
  return { dataDir, token, credential };
}

async function insertToken(tx: MainTransaction, token: string): Promise<void> {
  const row = {
    id: newId("tok"),
    name: "bench",
    token_hash: apiTokenHash(token),
    prefix: null,
    created_by: null,
    scopes: ["all"],
  };
  await insertApiToken(tx, { ...row, expires_at: null, last_used_at: null, created_at: systemClock.now() });
}

async function insertGroups(tx: MainTransaction, ids: readonly string[]): Promise<void> {
  const now = systemClock.now();
  const off = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };
  for (const [n, id] of ids.entries()) {
    const name = `group ${n}`;
    await tx
      .insertInto("groups")
      .values({ id, name, name_key: name, ...off, created_at: now, updated_at: now })
      .execute();
  }
}

async function insertServers(tx: MainTransaction, url: string, size: Size): Promise<string[]> {
  const now = systemClock.now();
  const ids: string[] = [];
  for (let n = 0; n < size.servers; n++) {
    const id = newId("srv");
    ids.push(id);
    const name = `Server ${n}`;
    await tx
      .insertInto("mcp_servers")
      .values({
        id,
        slug: `server-${n}`,
        name,
        description: "",
        search_text: serverSearchText(name, ""),
        status: "active",
        connector_id: null,
        upstream_url: url,
        upstream_transport: "http",
        auth_type: "none",
        auth_settings: {},
        sealed_client_secret: null,
        is_local: false,
        eras: ["modern", "legacy"],
        sync_tried_at: now,
        tools_synced_at: now,
        sync_error: null,
        created_at: now,
        updated_at: now,
        endpoint_key: endpointKey(url),
      })
      .execute();
    await tx
      .insertInto("server_tools")
      .values(toolRows(id, size, now))
      .execute();
  }
  return ids;
}

function toolRows(serverId: string, { toolsPerServer, toolBytes }: Size, now: number) {
  return Array.from({ length: toolsPerServer }, (_, position) => {
    const slug = position === 0 ? "echo" : `tool-${position}`;
    const definition = JSON.stringify({ description: "d".repeat(toolBytes), inputSchema: { type: "object" } });
    const row = { server_id: serverId, upstream_name: slug, slug, title: slug, description: "d", definition };
    return {
      ...row,
      search_text: toolSearchText(slug, slug),
      position,
      enabled: true,
      created_at: now,
      updated_at: now,
    };
  });
}

/** The first group has the first user's servers; the other groups share all servers. */
async function linkServers(
  tx: MainTransaction,
  groupIds: readonly string[],
  serverIds: readonly string[],
  first: number,
) {
  const links = serverIds.slice(0, first).map((server_id) => ({ group_id: groupIds[0] ?? "", server_id }));
  const others = groupIds.slice(1);
  for (const [n, server_id] of serverIds.entries()) {
    const group_id = others[n % Math.max(1, others.length)];
    if (group_id !== undefined) links.push({ group_id, server_id });
  }
  for (let start = 0; start < links.length; start += BATCH) {
    await tx
      .insertInto("group_servers")
      .values(links.slice(start, start + BATCH))
      .execute();
  }
}

async function insertGuards(tx: MainTransaction, servers: readonly string[]): Promise<void> {
  const now = systemClock.now();
  const scope = { groups: [], servers: [...servers], tools: [], users: [], exclude_servers: [] };
  for (const guard of BUILT_IN_GUARDS.filter(({ type }) => type === "runtime")) {
    await insertGuard(tx, new WriteTrail(), {
      ...guard,
      ...{ id: newId("grd"), builtin_key: null, slug: `bench-${guard.slug}`, enabled: true, action: "log", scope },
      ...{ entity_types: [], search_text: "", sealed_headers: null, on_error: null, created_at: now, updated_at: now },
      checks: guard.checks.map(({ config, ...check }) => ({ ...check, config: { ...config } })),
    });
  }
}

async function insertToolkits(tx: MainTransaction, groupIds: readonly string[], size: Size): Promise<void> {
  const { toolkits = 0, servers, toolsPerServer } = size;
  const now = systemClock.now();
  const perToolkit = Math.ceil(servers / Math.max(1, toolkits));
  for (let n = 0; n < toolkits; n++) {
    const id = newId("tkt");
    const slugs = Array.from({ length: perToolkit }, (_, at) => `server-${n * perToolkit + at}`);
    const names = toolRows("", { ...size, toolsPerServer }, now).map(({ upstream_name }) => upstream_name);
    const tools = slugs.flatMap((server) => names.map((tool) => ({ server, tool })));
    const texts = { slug: `toolkit-${n}`, name: `Toolkit ${n}`, description: "", search_text: "", instructions: "" };
    const settings = { status: "active" as const, least_privilege: true, owner_id: null };
    const row = {
      id,
      ...texts,
      ...settings,
      tools,
      prompts: [],
      resources: [],
      skills: [],
      commands: [],
      created_at: now,
      updated_at: now,
    };
    await insertToolkit(tx, new WriteTrail(), row);
    const group_id = groupIds[n < toolkits / 2 ? 0 : 1] ?? "";
    await tx.insertInto("group_toolkits").values({ group_id, toolkit_id: id }).execute();
  }
  if (toolkits === 0) return;
  const limited = Array.from({ length: Math.ceil(servers / 2) }, (_, n) => `server-${n}`);
  await tx
    .updateTable("group_servers")
    .set({ tool_rule: "except", tool_names: ["no-such-tool"], selected_at: now })
    .where("group_id", "=", groupIds[0] ?? "")
    .where("server_id", "not in", (from) =>
      from.selectFrom("mcp_servers").select("id").where("slug", "in", idList(tx, limited)),
    )
    .execute();
}

async function insertUsers(
  tx: MainTransaction,
  vault: Vault,
  groupIds: readonly string[],
  count: number,
): Promise<string> {
  const now = systemClock.now();
  let first = "";
  for (let n = 0; n < count; n++) {
    const id = newId("usr");
    const email = `machine-${n}@machine.bench.example`;
    const name = `Machine ${n}`;
    await tx
      .insertInto("users")
      .values({
        id,
        name,
        email,
        email_key: fold(email),
        search_text: userSearchText(name, email),
        is_machine_user: true,
        slug: `machine-${n}`,
        role: "member",
        disabled: false,
        risk_score: null,
        sealed_client_credentials: null,
        created_at: now + n,
        updated_at: now,
      })
      .execute();
    const groups = n === 0 ? groupIds.slice(0, 1) : otherGroups(groupIds, n);
    if (groups.length > 0) {
      await tx
        .insertInto("group_users")
        .values(groups.map((group_id) => ({ group_id, user_id: id })))
        .execute();
    }
    const key = await insertMachineKey(tx, new WriteTrail(), {
      id: newId("crd"),
      userId: id,
      now,
      random: systemRandom,
      vault,
      keepsCopy: true,
    });
    if (n === 0) first = `${key.accessKey}:${key.secret}`;
  }
  return first;
}

/** Up to four groups, so that nearly every user has a different set. */
function otherGroups(groupIds: readonly string[], n: number): string[] {
  if (groupIds.length < 2) return [];
  const picks = [n * 7, n * 13 + 1, n * 31 + 2, n * 57 + 3].slice(0, 1 + (n % 4));
  return [...new Set(picks.map((pick) => groupIds[1 + (pick % (groupIds.length - 1))] ?? ""))];
}
