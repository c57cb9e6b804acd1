import { type Kysely, sql } from "kysely";
import { insertRows } from "#storage/bulk-insert";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { ChangeKind, MainTables } from "#storage/tables";
import type { WriteTrail } from "#storage/transaction";

export interface GroupLink {
  readonly groupId: string;
  readonly memberId: string;
}

interface LinkTable {
  readonly table: keyof MainTables & string;
  /** The column that holds the member's id. The other column is `group_id`. */
  readonly column: string;
  /** The kind of the members in change rows; undefined if the gateway reads them from the database. */
  readonly kind: ChangeKind | undefined;
  /** Whether the published group lists these members, so that a changed link changes the group too. */
  readonly publishedInGroup: boolean;
}

/** The links between groups and one kind of member. Each kind has its own table. */
export interface GroupLinks {
  /** Keeps links that exist already (Spec 4.3). */
  add(tx: MainTransaction, trail: WriteTrail, links: readonly GroupLink[]): Promise<void>;
  /** Returns whether the link existed. */
  remove(tx: MainTransaction, trail: WriteTrail, link: GroupLink): Promise<boolean>;
  /** Removes members of one group. */
  removeAll(tx: MainTransaction, trail: WriteTrail, groupId: string, memberIds: readonly string[]): Promise<void>;
  /** Before a group is deleted, which removes its links: notes the members whose published entry changes. */
  noteGroupDeletion(tx: MainTransaction, trail: WriteTrail, groupId: string): Promise<void>;
  /** Before a member is deleted, which removes its links: notes the groups whose published entry changes. */
  noteMemberDeletion(tx: MainTransaction, trail: WriteTrail, memberId: string): Promise<void>;
  /** The ids of the members of these groups, at most 500. Groups without members are missing. */
  membersOf(db: MainDb, groupIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The ids of the groups of these members, at most 500. Members without groups are missing. */
  groupsOf(db: MainDb, memberIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The names of the groups of these members, oldest group first. Members without groups are missing. */
  groupNamesOf(db: MainDb, memberIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

function groupLinks({ table, column, kind, publishedInGroup }: LinkTable): GroupLinks {
  const member = sql.ref<string>(`links.${column}`);
  const linksIn = (db: Kysely<MainTables>) =>
    db.selectFrom(sql<{ group_id: string }>`${sql.table(table)}`.as<"links">(sql.ref("links")));

  const noteChanges = (trail: WriteTrail, links: readonly GroupLink[]) => {
    if (kind !== undefined) trail.changed(kind, ...links.map((link) => link.memberId));
    if (publishedInGroup) trail.changed("group", ...links.map((link) => link.groupId));
  };
  const membersOf = async (db: MainDb, groupIds: readonly string[]) => {
    if (groupIds.length === 0) return new Map<string, string[]>();
    const rows = await linksIn(db)
      .select(["links.group_id as key", member.as("value")])
      .where("links.group_id", "in", groupIds)
      .execute();
    return valuesByKey(rows);
  };
  const groupsOf = async (db: MainDb, memberIds: readonly string[]) => {
    if (memberIds.length === 0) return new Map<string, string[]>();
    const rows = await linksIn(db)
      .select([member.as("key"), "links.group_id as value"])
      .where(member, "in", memberIds)
      .execute();
    return valuesByKey(rows);
  };

  return {
    membersOf,
    groupsOf,
    async groupNamesOf(db, memberIds) {
      if (memberIds.length === 0) return new Map();
      const rows = await linksIn(db)
        .innerJoin("groups", "groups.id", "links.group_id")
        .select([member.as("key"), "groups.name as value"])
        .where(member, "in", memberIds)
        .orderBy("groups.created_at")
        .orderBy("groups.id")
        .execute();
      return valuesByKey(rows);
    },
    async add(tx, trail, links) {
      if (links.length === 0) return;
      const columns = [
        ["group_id", "text"],
        [column, "text"],
      ] as const;
      const rows = links.map((link) => [link.groupId, link.memberId]);
      await insertRows(tx, table, columns, rows, "on conflict do nothing");
      noteChanges(trail, links);
    },
    async remove(tx, trail, link) {
      const deleted = await sql`
        delete from ${sql.table(table)} where group_id = ${link.groupId} and ${sql.ref(column)} = ${link.memberId}
        returning group_id`.execute(tx);
      noteChanges(trail, [link]);
      return deleted.rows.length > 0;
    },
    async removeAll(tx, trail, groupId, memberIds) {
      if (memberIds.length === 0) return;
      const among = sql`${sql.ref(column)} in ${idList(tx, memberIds)}`;
      await sql`delete from ${sql.table(table)} where group_id = ${groupId} and ${among}`.execute(tx);
      const links = memberIds.map((memberId) => ({ groupId, memberId }));
      noteChanges(trail, links);
    },
    async noteGroupDeletion(tx, trail, groupId) {
      if (!publishedInGroup || kind === undefined) return;
      trail.changed(kind, ...((await membersOf(tx, [groupId])).get(groupId) ?? []));
    },
    async noteMemberDeletion(tx, trail, memberId) {
      if (!publishedInGroup) return;
      trail.changed("group", ...((await groupsOf(tx, [memberId])).get(memberId) ?? []));
    },
  };
}

function valuesByKey(rows: readonly { readonly key: string; readonly value: string }[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { key, value } of rows) {
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values;
}

export const serverLinks = groupLinks({
  table: "group_servers",
  column: "server_id",
  kind: "server",
  publishedInGroup: true,
});

/** A published user lists its groups. Readers ignore deleted groups, so deleting a group changes no user. */
export const userLinks = groupLinks({
  table: "group_users",
  column: "user_id",
  kind: "user",
  publishedInGroup: false,
});

/** A published toolkit lists its groups. Readers ignore deleted groups, so deleting a group changes no toolkit. */
export const toolkitLinks = groupLinks({
  table: "group_toolkits",
  column: "toolkit_id",
  kind: "toolkit",
  publishedInGroup: false,
});

/** A published skill lists its groups. Readers ignore deleted groups, so deleting a group changes no skill. */
export const skillLinks = groupLinks({
  table: "group_skills",
  column: "skill_id",
  kind: "skill",
  publishedInGroup: false,
});

/** The same for a published command. */
export const commandLinks = groupLinks({
  table: "group_commands",
  column: "command_id",
  kind: "command",
  publishedInGroup: false,
});

/** The gateway reads plugins and their groups from the database. */
export const pluginLinks = groupLinks({
  table: "group_plugins",
  column: "plugin_id",
  kind: undefined,
  publishedInGroup: false,
});

/** Every kind of link, for operations on a whole group. */
export const ALL_GROUP_LINKS: readonly GroupLinks[] = [
  serverLinks,
  userLinks,
  toolkitLinks,
  skillLinks,
  commandLinks,
  pluginLinks,
];
