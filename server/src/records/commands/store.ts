import { fold } from "#lib/fold";
import { firstFreeAttempt, LONG_SLUG_MAX_LENGTH, slugCandidate } from "#lib/slug";
import { commandLinks } from "#records/groups";
import type { CommandRow } from "#storage/command-tables";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";
import type { WriteTrail } from "#storage/transaction";
import { isReservedSlug } from "./check-command.ts";
import { definitionOf } from "./definition.ts";

export interface CommandFilter {
  readonly status?: CommandRow["status"] | undefined;
  /** Part of the slug, the name or the description. */
  readonly search?: string | undefined;
  readonly groupId?: string | undefined;
}

/** Folded name, slug and description, for `search`. */
function searchText(row: CommandRow): string {
  return `${fold(row.name)}\n${row.slug}\n${fold(definitionOf(row).description)}`;
}

function filtered(db: MainDb, { status, search, groupId }: CommandFilter) {
  let query = db.selectFrom("commands");
  if (status !== undefined) query = query.where("status", "=", status);
  if (search !== undefined) query = query.where(contains("search_text", search));
  if (groupId !== undefined) {
    query = query.where("id", "in", (from) =>
      from.selectFrom("group_commands").select("command_id").where("group_id", "=", groupId),
    );
  }
  return query;
}

export async function listCommands(
  db: MainDb,
  filter: CommandFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<CommandRow[]> {
  return filtered(db, filter).selectAll().orderBy("created_at").orderBy("id").offset(offset).limit(limit).execute();
}

export async function countCommands(db: MainDb, filter: CommandFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findCommand(db: MainDb, slug: string): Promise<CommandRow | undefined> {
  return db.selectFrom("commands").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function lockCommand(tx: MainTransaction, slug: string): Promise<CommandRow | undefined> {
  return lockRows(tx, tx.selectFrom("commands").selectAll().where("slug", "=", slug)).executeTakeFirst();
}

export async function findCommandsBySlug(db: MainDb, slugs: readonly string[]): Promise<CommandRow[]> {
  if (slugs.length === 0) return [];
  return db.selectFrom("commands").selectAll().where("slug", "in", idList(db, slugs)).execute();
}

/** The active commands of the user's groups, by slug. */
export async function commandsOfUser(db: MainDb, userId: string): Promise<CommandRow[]> {
  return db
    .selectFrom("commands")
    .selectAll()
    .where("status", "=", "active")
    .where("id", "in", (from) =>
      from
        .selectFrom("group_commands")
        .innerJoin("group_users", "group_users.group_id", "group_commands.group_id")
        .select("group_commands.command_id")
        .where("group_users.user_id", "=", userId),
    )
    .orderBy("slug")
    .execute();
}

export async function searchCommands(
  db: MainDb,
  terms: SearchTerms,
  limit: number,
): Promise<Pick<CommandRow, "slug" | "name" | "status">[]> {
  return db
    .selectFrom("commands")
    .select(["slug", "name", "status"])
    .where(containsAll("search_text", terms))
    .orderBy(matchRank(terms, { names: ["search_text"] }))
    .orderBy("slug")
    .limit(limit)
    .execute();
}

/** Inserts under the wanted slug or the first free one after it. */
export async function insertCommand(tx: MainTransaction, trail: WriteTrail, row: CommandRow): Promise<CommandRow> {
  const taken = await takenSlugs(tx, row.slug);
  let attempt = firstFreeAttempt(row.slug, taken, LONG_SLUG_MAX_LENGTH);
  for (;;) {
    const named = { ...row, slug: slugCandidate(row.slug, attempt, LONG_SLUG_MAX_LENGTH) };
    const stored = { ...named, search_text: searchText(named) };
    // A constraint error would abort a Postgres transaction.
    const inserted = await tx
      .insertInto("commands")
      .values(stored)
      .onConflict((conflict) => conflict.column("slug").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (inserted) {
      trail.changed("command", row.id);
      return stored;
    }
    attempt++;
  }
}

async function takenSlugs(tx: MainTransaction, wanted: string): Promise<Set<string>> {
  // A suffix can shorten the wanted slug, so this reads all slugs with the same first letters.
  const rows = await tx
    .selectFrom("commands")
    .select("slug")
    .where((where) => where.or([where("slug", "=", wanted), where("slug", "like", `${wanted.slice(0, 50)}%`)]))
    .execute();
  const taken = new Set(rows.map((row) => row.slug));
  if (isReservedSlug(wanted)) taken.add(wanted);
  return taken;
}

export type CommandChanges = Partial<Omit<CommandRow, "id" | "search_text" | "created_at">>;

/** `before` is the locked row. The unique index refuses a slug that is taken. */
export async function updateCommand(
  tx: MainTransaction,
  trail: WriteTrail,
  before: CommandRow,
  changes: CommandChanges,
): Promise<CommandRow> {
  const changed = { ...before, ...changes };
  const after = { ...changed, search_text: searchText(changed) };
  const { id, created_at: _created, ...columns } = after;
  await tx.updateTable("commands").set(columns).where("id", "=", id).execute();
  trail.changed("command", id);
  return after;
}

/** Also deletes its links to groups. */
export async function deleteCommand(tx: MainTransaction, trail: WriteTrail, id: string): Promise<void> {
  await tx.deleteFrom("commands").where("id", "=", id).execute();
  trail.changed("command", id);
}

/** Replaces the groups of a command. */
export async function setCommandGroups(
  tx: MainTransaction,
  trail: WriteTrail,
  commandId: string,
  groupIds: readonly string[],
): Promise<void> {
  const before = (await commandLinks.groupsOf(tx, [commandId])).get(commandId) ?? [];
  for (const groupId of before) {
    if (!groupIds.includes(groupId)) await commandLinks.remove(tx, trail, { groupId, memberId: commandId });
  }
  const added = groupIds.filter((groupId) => !before.includes(groupId));
  await commandLinks.add(
    tx,
    trail,
    [...new Set(added)].map((groupId) => ({ groupId, memberId: commandId })),
  );
}
