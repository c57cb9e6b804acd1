import { fold } from "#lib/fold";
import { firstFreeAttempt, LONG_SLUG_MAX_LENGTH, slugCandidate } from "#lib/slug";
import { pluginLinks } from "#records/groups";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import type { PluginRow } from "#storage/plugin-tables";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";
import type { WriteTrail } from "#storage/transaction";

export interface PluginFilter {
  readonly status?: PluginRow["status"] | undefined;
  /** Part of the slug, the name or the description. */
  readonly search?: string | undefined;
  readonly groupId?: string | undefined;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Names the URL of the marketplace, so no plugin has it. */
const RESERVED_SLUGS = ["marketplace"];

function pluginSearchText({ slug, name, description }: Pick<PluginRow, "slug" | "name" | "description">): string {
  return `${slug}\n${fold(name)}\n${fold(description)}`;
}

function filtered(db: MainDb, { status, search, groupId }: PluginFilter) {
  let query = db.selectFrom("plugins");
  if (status !== undefined) query = query.where("status", "=", status);
  if (search !== undefined) query = query.where(contains("search_text", search));
  if (groupId !== undefined) {
    query = query.where("id", "in", (from) =>
      from.selectFrom("group_plugins").select("plugin_id").where("group_id", "=", groupId),
    );
  }
  return query;
}

export async function listPlugins(db: MainDb, filter: PluginFilter, { offset, limit }: Page): Promise<PluginRow[]> {
  return filtered(db, filter).selectAll().orderBy("created_at").orderBy("id").offset(offset).limit(limit).execute();
}

export async function countPlugins(db: MainDb, filter: PluginFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findPlugin(db: MainDb, slug: string): Promise<PluginRow | undefined> {
  return db.selectFrom("plugins").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function lockPlugin(tx: MainTransaction, slug: string): Promise<PluginRow | undefined> {
  return lockRows(tx, tx.selectFrom("plugins").selectAll().where("slug", "=", slug)).executeTakeFirst();
}

export async function findPluginsBySlug(db: MainDb, slugs: readonly string[]): Promise<PluginRow[]> {
  if (slugs.length === 0) return [];
  return db.selectFrom("plugins").selectAll().where("slug", "in", idList(db, slugs)).execute();
}

export async function findPluginsById(db: MainDb, ids: readonly string[]): Promise<PluginRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("plugins").selectAll().where("id", "in", idList(db, ids)).execute();
}

/** The active plugins of the user's groups, by slug. */
export async function pluginsOfUser(db: MainDb, userId: string): Promise<PluginRow[]> {
  return ofUser(db, userId).orderBy("slug").execute();
}

/** Undefined if the plugin is not active or not in a group of the user. */
export async function findPluginOfUser(db: MainDb, userId: string, slug: string): Promise<PluginRow | undefined> {
  return ofUser(db, userId).where("slug", "=", slug).executeTakeFirst();
}

function ofUser(db: MainDb, userId: string) {
  return db
    .selectFrom("plugins")
    .selectAll()
    .where("status", "=", "active")
    .where("id", "in", (from) =>
      from
        .selectFrom("group_plugins")
        .innerJoin("group_users", "group_users.group_id", "group_plugins.group_id")
        .select("group_plugins.plugin_id")
        .where("group_users.user_id", "=", userId),
    );
}

export async function searchPlugins(
  db: MainDb,
  terms: SearchTerms,
  limit: number,
): Promise<Pick<PluginRow, "slug" | "name" | "status">[]> {
  return db
    .selectFrom("plugins")
    .select(["slug", "name", "status"])
    .where(containsAll("search_text", terms))
    .orderBy(matchRank(terms, { names: ["search_text"] }))
    .orderBy("slug")
    .limit(limit)
    .execute();
}

/** Inserts under the wanted slug or the first free one after it. */
export async function insertPlugin(tx: MainTransaction, row: PluginRow): Promise<PluginRow> {
  let attempt = firstFreeAttempt(row.slug, await takenSlugs(tx, row.slug), LONG_SLUG_MAX_LENGTH);
  for (;;) {
    const slug = slugCandidate(row.slug, attempt, LONG_SLUG_MAX_LENGTH);
    const named = { ...row, slug, search_text: pluginSearchText({ ...row, slug }) };
    // A constraint error would abort a Postgres transaction.
    const inserted = await tx
      .insertInto("plugins")
      .values(named)
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) return named;
    attempt++;
  }
}

async function takenSlugs(tx: MainTransaction, wanted: string): Promise<Set<string>> {
  // A suffix can shorten the wanted slug, so this reads all slugs with the same first letters.
  const rows = await tx
    .selectFrom("plugins")
    .select("slug")
    .where((where) => where.or([where("slug", "=", wanted), where("slug", "like", `${wanted.slice(0, 50)}%`)]))
    .execute();
  return new Set([...RESERVED_SLUGS, ...rows.map((row) => row.slug)]);
}

/** The slug stays: it is the name of the plugin in clients. */
type PluginChanges = Partial<Omit<PluginRow, "id" | "slug" | "search_text" | "created_at">>;

/** `before` is the locked row. Returns the row after the changes. */
export async function updatePlugin(tx: MainTransaction, before: PluginRow, changes: PluginChanges): Promise<PluginRow> {
  const after = { ...before, ...changes };
  after.search_text = pluginSearchText(after);
  const { id, slug, created_at, ...columns } = after;
  await tx.updateTable("plugins").set(columns).where("id", "=", id).execute();
  return after;
}

/** `before` is the locked row. */
export async function setPluginStatus(
  tx: MainTransaction,
  before: PluginRow,
  status: PluginRow["status"],
  now: number,
): Promise<PluginRow> {
  return updatePlugin(tx, before, { status, updated_at: now });
}

/** Also deletes its releases and links. */
export async function deletePlugin(tx: MainTransaction, id: string): Promise<void> {
  await tx.deleteFrom("plugins").where("id", "=", id).execute();
}

/** Replaces the groups of a plugin. */
export async function setPluginGroups(
  tx: MainTransaction,
  trail: WriteTrail,
  pluginId: string,
  groupIds: readonly string[],
): Promise<void> {
  const before = (await pluginLinks.groupsOf(tx, [pluginId])).get(pluginId) ?? [];
  for (const groupId of before) {
    if (!groupIds.includes(groupId)) await pluginLinks.remove(tx, trail, { groupId, memberId: pluginId });
  }
  const added = groupIds.filter((groupId) => !before.includes(groupId));
  await pluginLinks.add(
    tx,
    trail,
    [...new Set(added)].map((groupId) => ({ groupId, memberId: pluginId })),
  );
}
