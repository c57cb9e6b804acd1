import type { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { mediaTypeOf } from "#lib/media-type";
import { readBlobs } from "#records/file-blobs";
import { skillLinks } from "#records/groups";
import { byPath, contentOf, currentVersions, filesOfVersion, findVersion, SKILL_MD } from "#records/skills";
import type { MainDb } from "#storage/database";
import type { SkillFileRow, SkillRow, SkillSource, SkillVersionRow } from "#storage/skill-tables";
import type { Skill, SkillDetail, SkillFileShape, SkillVersion } from "./schema.ts";

export type PresentedSkill = z.input<typeof Skill>;
type PresentedFile = z.input<typeof SkillFileShape>;

export async function presentSkills(db: MainDb, rows: readonly SkillRow[]): Promise<PresentedSkill[]> {
  const ids = rows.map(({ id }) => id);
  const groups = await skillLinks.groupNamesOf(db, ids);
  const versions = await currentVersions(db, ids);
  return rows.flatMap((row) => {
    const version = versions.get(row.id);
    return version ? [presented(row, version, groups.get(row.id) ?? [])] : [];
  });
}

export async function presentSkill(db: MainDb, row: SkillRow): Promise<PresentedSkill> {
  const [skill] = await presentSkills(db, [row]);
  if (!skill) throw new Error(`The skill ${row.slug} has no version`);
  return skill;
}

function presented(row: SkillRow, version: SkillVersionRow, groups: readonly string[]): PresentedSkill {
  return {
    ...{ id: row.id, slug: row.slug, ...version.fields, status: row.status, groups: [...groups] },
    ...{ version: version.version, version_label: labelOf(version), digest: version.digest },
    ...{ size_bytes: version.size, files_count: version.files_count, source: presentSource(version.source) },
    ...{ created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
  };
}

function labelOf({ fields }: SkillVersionRow): string | null {
  return fields.metadata.version ?? null;
}

function presentSource(source: SkillSource | null) {
  if (source === null) return null;
  return { ...source, imported_at: isoTime(source.imported_at) };
}

/** A version with all files. Their contents are read only if they are asked for. */
export async function presentDetail(
  db: MainDb,
  row: SkillRow,
  number: number,
  withContents: boolean,
): Promise<z.input<typeof SkillDetail> | undefined> {
  const version = await findVersion(db, row.id, number);
  if (!version) return undefined;
  const groups = (await skillLinks.groupNamesOf(db, [row.id])).get(row.id) ?? [];
  const files = (await filesOfVersion(db, row.id, number)).toSorted(byPath);
  const read = withContents ? files : files.filter(({ path }) => path === SKILL_MD);
  const contents = new Map<string, Uint8Array>();
  for await (const { path, content } of readBlobs(db, read)) contents.set(path, content);
  const skillMd = Buffer.from(contents.get(SKILL_MD) ?? []).toString("utf8");
  return {
    ...presented(row, version, groups),
    content: contentOf(skillMd),
    files: files.map((file) => presentFile(file, withContents ? contents.get(file.path) : undefined)),
  };
}

export function presentFile(file: SkillFileRow, content: Uint8Array | undefined): PresentedFile {
  const { path, size, digest, executable, is_text: isText } = file;
  const bytes = content && Buffer.from(content);
  return {
    ...{ path, size, digest: `sha256:${digest}`, executable, mime_type: mediaTypeOf(path, isText) },
    ...(bytes && {
      content: isText ? bytes.toString("utf8") : null,
      content_base64: isText ? null : bytes.toString("base64"),
    }),
  };
}

export function presentVersion(row: SkillRow, version: SkillVersionRow): z.input<typeof SkillVersion> {
  return {
    ...{ version: version.version, current: version.version === row.version },
    ...{ description: version.fields.description, version_label: labelOf(version), digest: version.digest },
    ...{ size_bytes: version.size, files_count: version.files_count, source: presentSource(version.source) },
    ...{ created_by: version.created_by, created_at: isoTime(version.created_at) },
  };
}
