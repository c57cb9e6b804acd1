import { unknownReferences } from "#lib/errors";
import { fold } from "#lib/fold";
import type { MainDb } from "#storage/database";
import type { StoredScope } from "#storage/guard-tables";
import { idList } from "#storage/id-list";

/** A scope with names of groups, slugs of servers and emails of users. */
export type NamedScope = { readonly [List in keyof StoredScope]: readonly string[] };

const EMPTY: StoredScope = { groups: [], servers: [], tools: [], users: [], exclude_servers: [] };

/** Ids by name. */
type Lookup = (db: MainDb, names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * The scope by ids; unknown names are listed in the error. A deleted record is shown by its id, so an id that `before`
 * has is accepted too.
 */
export async function resolveScope(db: MainDb, scope: NamedScope, before: StoredScope = EMPTY): Promise<StoredScope> {
  const resolve = async (what: string, list: Exclude<keyof StoredScope, "tools">, lookup: Lookup) => {
    const kept = new Set(before[list]);
    const names = [...new Set(scope[list])];
    const found = await lookup(
      db,
      names.filter((name) => !kept.has(name)),
    );
    const idOf = (name: string) => (kept.has(name) ? name : found.get(name));
    const unknown = names.filter((name) => idOf(name) === undefined);
    if (unknown.length > 0) throw unknownReferences(what, unknown);
    return [...new Set(names.flatMap((name) => idOf(name) ?? []))];
  };
  return {
    groups: await resolve("Groups", "groups", groupIds),
    servers: await resolve("MCP servers", "servers", serverIds),
    tools: [...new Set(scope.tools)],
    users: await resolve("Users", "users", userIds),
    exclude_servers: await resolve("MCP servers", "exclude_servers", serverIds),
  };
}

const groupIds: Lookup = async (db, names) => {
  if (names.length === 0) return new Map();
  const keys = idList(db, names.map(fold));
  const rows = await db.selectFrom("groups").select(["id", "name_key"]).where("name_key", "in", keys).execute();
  return byName(
    names,
    rows.map(({ id, name_key }) => [name_key, id]),
  );
};

const userIds: Lookup = async (db, names) => {
  if (names.length === 0) return new Map();
  const keys = idList(db, names.map(fold));
  const rows = await db.selectFrom("users").select(["id", "email_key"]).where("email_key", "in", keys).execute();
  return byName(
    names,
    rows.map(({ id, email_key }) => [email_key, id]),
  );
};

const serverIds: Lookup = async (db, slugs) => {
  if (slugs.length === 0) return new Map();
  const rows = await db
    .selectFrom("mcp_servers")
    .select(["id", "slug"])
    .where("slug", "in", idList(db, slugs))
    .execute();
  return new Map(rows.map(({ id, slug }) => [slug, id]));
};

/** Names are compared without regard to case. */
function byName(names: readonly string[], found: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const ids = new Map(found);
  return new Map(
    names.flatMap((name) => {
      const id = ids.get(fold(name));
      return id === undefined ? [] : [[name, id] as const];
    }),
  );
}

/** The scopes with current names, in the given order. Deleted records are shown by their ids. */
export async function nameScopes(db: MainDb, scopes: readonly StoredScope[]): Promise<StoredScope[]> {
  const all = (...lists: (keyof StoredScope)[]) => [
    ...new Set(scopes.flatMap((scope) => lists.flatMap((list) => scope[list]))),
  ];
  const [groups, servers, users] = [all("groups"), all("servers", "exclude_servers"), all("users")];
  const names = new Map<string, string>();
  const note = (rows: readonly { id: string; name: string }[]) => {
    for (const { id, name } of rows) names.set(id, name);
  };
  if (groups.length > 0) {
    note(await db.selectFrom("groups").select(["id", "name"]).where("id", "in", idList(db, groups)).execute());
  }
  if (servers.length > 0) {
    const rows = db.selectFrom("mcp_servers").select(["id", "slug as name"]).where("id", "in", idList(db, servers));
    note(await rows.execute());
  }
  if (users.length > 0) {
    const rows = db.selectFrom("users").select(["id", "email as name"]).where("id", "in", idList(db, users));
    note(await rows.execute());
  }
  const named = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? id);
  return scopes.map(({ groups, servers, tools, users, exclude_servers }) => ({
    groups: named(groups),
    servers: named(servers),
    tools,
    users: named(users),
    exclude_servers: named(exclude_servers),
  }));
}
