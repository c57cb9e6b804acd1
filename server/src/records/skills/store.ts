import { fold } from "#lib/fold";
import { requestEvaluationOfSkills } from "#records/discovery";
import { skillLinks } from "#records/groups";
import { contains } from "#storage/contains";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";
import { containsAll, matchRank, type SearchTerms } from "#storage/search";
import type { SkillFileRow, SkillRow, SkillVersionRow } from "#storage/skill-tables";
import type { WriteTrail } from "#storage/transaction";
import { removeReferences } from "./remove-references.ts";

export interface SkillFilter {
  readonly status?: SkillRow["status"] | undefined;
  /** Part of the name or the description. */
  readonly search?: string | undefined;
  readonly groupId?: string | undefined;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Folded name and description, for `search`. */
export function skillSearchText({ slug, description }: Pick<SkillRow, "slug" | "description">): string {
  return `${slug}\n${fold(description)}`;
}

function filtered(db: MainDb, { status, search, groupId }: SkillFilter) {
  let query = db.selectFrom("skills");
  if (status !== undefined) query = query.where("status", "=", status);
  if (search !== undefined) query = query.where(contains("search_text", search));
  if (groupId !== undefined) {
    query = query.where("id", "in", (from) =>
      from.selectFrom("group_skills").select("skill_id").where("group_id", "=", groupId),
    );
  }
  return query;
}

export async function listSkills(db: MainDb, filter: SkillFilter, { offset, limit }: Page): Promise<SkillRow[]> {
  return filtered(db, filter).selectAll().orderBy("created_at").orderBy("id").offset(offset).limit(limit).execute();
}

export async function countSkills(db: MainDb, filter: SkillFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

export async function findSkill(db: MainDb, slug: string): Promise<SkillRow | undefined> {
  return db.selectFrom("skills").selectAll().where("slug", "=", slug).executeTakeFirst();
}

export async function lockSkill(tx: MainTransaction, slug: string): Promise<SkillRow | undefined> {
  return lockRows(tx, tx.selectFrom("skills").selectAll().where("slug", "=", slug)).executeTakeFirst();
}

export async function findSkillsBySlug(db: MainDb, slugs: readonly string[]): Promise<SkillRow[]> {
  if (slugs.length === 0) return [];
  return db.selectFrom("skills").selectAll().where("slug", "in", idList(db, slugs)).execute();
}

/** The active skills of the user's groups, by slug. */
export async function skillsOfUser(db: MainDb, userId: string): Promise<SkillRow[]> {
  return db
    .selectFrom("skills")
    .selectAll()
    .where("status", "=", "active")
    .where("id", "in", (from) =>
      from
        .selectFrom("group_skills")
        .innerJoin("group_users", "group_users.group_id", "group_skills.group_id")
        .select("group_skills.skill_id")
        .where("group_users.user_id", "=", userId),
    )
    .orderBy("slug")
    .execute();
}

export async function searchSkills(
  db: MainDb,
  terms: SearchTerms,
  limit: number,
): Promise<Pick<SkillRow, "slug" | "description" | "status">[]> {
  return db
    .selectFrom("skills")
    .select(["slug", "description", "status"])
    .where(containsAll("search_text", terms))
    .orderBy(matchRank(terms, { names: ["search_text"] }))
    .orderBy("slug")
    .limit(limit)
    .execute();
}

/** Also deletes its versions and links. Plugins that name it keep the name. */
export async function deleteSkill(tx: MainTransaction, trail: WriteTrail, { id, slug }: SkillRow): Promise<void> {
  const versions = await tx.selectFrom("skill_versions").select("digest").where("skill_id", "=", id).execute();
  await tx.deleteFrom("skills").where("id", "=", id).execute();
  await removeReferences(tx, trail, slug);
  await requestEvaluationOfSkills(
    tx,
    versions.map(({ digest }) => digest),
  );
  trail.changed("skill", id);
}

/** Replaces the groups of a skill. */
export async function setSkillGroups(
  tx: MainTransaction,
  trail: WriteTrail,
  skillId: string,
  groupIds: readonly string[],
): Promise<void> {
  const before = (await skillLinks.groupsOf(tx, [skillId])).get(skillId) ?? [];
  for (const groupId of before) {
    if (!groupIds.includes(groupId)) await skillLinks.remove(tx, trail, { groupId, memberId: skillId });
  }
  const added = groupIds.filter((groupId) => !before.includes(groupId));
  await skillLinks.add(
    tx,
    trail,
    [...new Set(added)].map((groupId) => ({ groupId, memberId: skillId })),
  );
}

/** The current versions of these skills, by skill. */
export async function currentVersions(db: MainDb, ids: readonly string[]): Promise<Map<string, SkillVersionRow>> {
  const rows = await db
    .selectFrom("skill_versions")
    .innerJoin("skills", (join) =>
      join.onRef("skills.id", "=", "skill_versions.skill_id").onRef("skills.version", "=", "skill_versions.version"),
    )
    .selectAll("skill_versions")
    .where("skills.id", "in", idList(db, ids))
    .execute();
  return new Map(rows.map((row) => [row.skill_id, row]));
}

export async function findVersion(db: MainDb, id: string, version: number): Promise<SkillVersionRow | undefined> {
  return db
    .selectFrom("skill_versions")
    .selectAll()
    .where("skill_id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
}

/** Newest first. */
export async function listVersions(db: MainDb, id: string, { offset, limit }: Page): Promise<SkillVersionRow[]> {
  return db
    .selectFrom("skill_versions")
    .selectAll()
    .where("skill_id", "=", id)
    .orderBy("version", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** Of one version, in no order. */
export async function filesOfVersion(db: MainDb, id: string, version: number): Promise<SkillFileRow[]> {
  return db.selectFrom("skill_files").selectAll().where("skill_id", "=", id).where("version", "=", version).execute();
}

/** The files of the current versions of these skills, by slug. Skills that do not exist are missing. */
export async function filesOfSkills(db: MainDb, slugs: readonly string[]): Promise<Map<string, SkillFileRow[]>> {
  if (slugs.length === 0) return new Map();
  const rows = await db
    .selectFrom("skill_files")
    .innerJoin("skills", (join) =>
      join.onRef("skills.id", "=", "skill_files.skill_id").onRef("skills.version", "=", "skill_files.version"),
    )
    .selectAll("skill_files")
    .select("skills.slug as slug")
    .where("skills.slug", "in", idList(db, slugs))
    .execute();
  return Map.groupBy(rows, ({ slug }) => slug);
}

/** Those of these digests that a version of a skill has. */
export async function knownSkillDigests(db: MainDb, digests: readonly string[]): Promise<Set<string>> {
  if (digests.length === 0) return new Set();
  const versions = db.selectFrom("skill_versions").select("digest").distinct();
  const rows = await versions.where("digest", "in", idList(db, digests)).execute();
  return new Set(rows.map(({ digest }) => digest));
}
