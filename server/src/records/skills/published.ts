import { skillLinks } from "#records/groups";
import type { MainDb } from "#storage/database";
import type { SkillFileRow, SkillRow, SkillVersionRow } from "#storage/skill-tables";
import { currentVersions } from "./store.ts";

export type PublishedSkillFile = Pick<SkillFileRow, "path" | "digest" | "size" | "executable" | "is_text">;

/** The part of an active skill that the gateway needs. It contains no content of files. */
export interface PublishedSkill extends Pick<SkillRow, "id" | "slug" | "description" | "version"> {
  readonly front_matter: SkillVersionRow["front_matter"];
  readonly digest: string;
  readonly files: readonly PublishedSkillFile[];
  readonly groupIds: readonly string[];
}

/** One page, by id, for a full build. The first page comes after "". */
export async function publishedSkillsAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedSkill[]> {
  return complete(db, await activeSkills(db).where("id", ">", afterId).orderBy("id").limit(limit).execute());
}

/** At most 500 ids at a time. Drafts and deleted skills are missing from the result. */
export async function publishedSkillsByIds(db: MainDb, ids: readonly string[]): Promise<PublishedSkill[]> {
  return complete(db, await activeSkills(db).where("id", "in", ids).execute());
}

function activeSkills(db: MainDb) {
  return db.selectFrom("skills").select(["id", "slug", "description", "version"]).where("status", "=", "active");
}

async function complete(
  db: MainDb,
  rows: readonly Pick<SkillRow, "id" | "slug" | "description" | "version">[],
): Promise<PublishedSkill[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const groupIds = await skillLinks.groupsOf(db, ids);
  const versions = await currentVersions(db, ids);
  const files = Map.groupBy(await currentFiles(db, ids), ({ skill_id: id }) => id);
  return rows.flatMap((row) => {
    const version = versions.get(row.id);
    // Between two statements, a skill can get a new version or be deleted. The change row of that write follows.
    if (version?.version !== row.version) return [];
    const own = (files.get(row.id) ?? []).filter((file) => file.version === row.version);
    const { front_matter, digest } = version;
    return [{ ...row, front_matter, digest, files: own.map(publishedFile), groupIds: groupIds.get(row.id) ?? [] }];
  });
}

async function currentFiles(db: MainDb, ids: readonly string[]): Promise<SkillFileRow[]> {
  return db
    .selectFrom("skill_files")
    .innerJoin("skills", (join) =>
      join.onRef("skills.id", "=", "skill_files.skill_id").onRef("skills.version", "=", "skill_files.version"),
    )
    .selectAll("skill_files")
    .where("skill_files.skill_id", "in", ids)
    .execute();
}

function publishedFile({ path, digest, size, executable, is_text }: SkillFileRow): PublishedSkillFile {
  return { path, digest, size, executable, is_text };
}
