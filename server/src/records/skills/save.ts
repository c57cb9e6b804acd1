import { requestEvaluationOfSkills } from "#records/discovery";
import { storeBlobs } from "#records/file-blobs";
import type { MainTransaction } from "#storage/database";
import type { SkillFileRow, SkillRow, SkillSource, SkillVersionRow } from "#storage/skill-tables";
import type { WriteTrail } from "#storage/transaction";
import type { CheckedSkill } from "./check-skill.ts";
import { skillSearchText } from "./store.ts";

export interface SkillWrite {
  readonly tx: MainTransaction;
  readonly trail: WriteTrail;
  readonly now: number;
  /** The name of the author. */
  readonly createdBy: string;
}

/** The content of a version: new, or that of an earlier version. */
export interface VersionContent extends Omit<CheckedSkill, "content"> {
  readonly source: SkillSource | null;
}

/** The unique index refuses a name that is taken. */
export async function insertSkill(
  write: SkillWrite,
  { id, status }: Pick<SkillRow, "id" | "status">,
  content: VersionContent,
): Promise<SkillRow> {
  const { tx, trail, now } = write;
  const { name: slug, description } = content.fields;
  const row: SkillRow = {
    ...{ id, slug, description, status, version: 1, created_at: now, updated_at: now },
    search_text: skillSearchText({ slug, description }),
  };
  await tx.insertInto("skills").values(row).execute();
  await insertVersion(write, row, content);
  trail.changed("skill", id);
  return row;
}

export interface SkillChanges {
  readonly status?: SkillRow["status"] | undefined;
  /** Undefined: the current version stays. */
  readonly content?: VersionContent | undefined;
}

/** `before` is the locked row. Content that is equal to the current version makes no new one. */
export async function updateSkill(
  write: SkillWrite,
  before: SkillRow,
  { status = before.status, content }: SkillChanges,
): Promise<SkillRow> {
  const { tx, trail, now } = write;
  const isNew = content !== undefined && !(await isCurrent(tx, before, content));
  const description = isNew ? content.fields.description : before.description;
  const after: SkillRow = {
    ...before,
    ...{ status, description, updated_at: now, version: before.version + (isNew ? 1 : 0) },
    search_text: skillSearchText({ slug: before.slug, description }),
  };
  if (isNew) await insertVersion(write, after, content);
  const { id, slug: _slug, created_at: _created, ...columns } = after;
  await tx.updateTable("skills").set(columns).where("id", "=", id).execute();
  trail.changed("skill", id);
  return after;
}

async function isCurrent(tx: MainTransaction, { id, version }: SkillRow, content: VersionContent): Promise<boolean> {
  const { digest } = await tx
    .selectFrom("skill_versions")
    .select("digest")
    .where("skill_id", "=", id)
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  if (digest !== content.digest) return false;
  const executable = await tx
    .selectFrom("skill_files")
    .select("path")
    .where("skill_id", "=", id)
    .where("version", "=", version)
    .where("executable", "=", true)
    .execute();
  const before = new Set(executable.map(({ path }) => path));
  return content.files.every((file) => file.executable === before.has(file.path));
}

async function insertVersion(
  { tx, now, createdBy }: SkillWrite,
  { id, version }: SkillRow,
  { files, contents, frontMatter, fields, digest, size, source }: VersionContent,
): Promise<void> {
  await storeBlobs(tx, contents, now);
  const row: SkillVersionRow = {
    ...{ skill_id: id, version, front_matter: frontMatter, fields, digest, size, files_count: files.length },
    ...{ source, created_by: createdBy, created_at: now },
  };
  await tx.insertInto("skill_versions").values(row).execute();
  await requestEvaluationOfSkills(tx, [digest]);
  const rows = files.map((file): SkillFileRow => ({ skill_id: id, version, ...file }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("skill_files")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
}

const ROWS_PER_INSERT = 100;
