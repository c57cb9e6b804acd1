/** Content of a skill from fields of a request, and from a version that they change. */
import { invalid } from "#lib/errors";
import { findBlob } from "#records/file-blobs";
import type { MainDb } from "#storage/database";
import type { SkillFields, SkillFileRow, SkillRow } from "#storage/skill-tables";
import { KNOWN_FIELDS } from "./check-front-matter.ts";
import { type GivenFile, isSkillMd, type SkillFile } from "./check-skill.ts";
import { Findings } from "./findings.ts";
import { parseSkillMd, renderSkillMd } from "./front-matter.ts";
import { SKILL_MD } from "./limits.ts";
import { filesOfVersion } from "./store.ts";

/** A file of a request: with new content, or with the digest of a file that the skill has or had. */
export interface RequestedFile {
  readonly path: string;
  readonly content?: string | undefined;
  readonly content_base64?: string | undefined;
  readonly digest?: string | undefined;
  readonly executable?: boolean | undefined;
}

export type GivenFields = Partial<Omit<SkillFields, "name">> & { readonly content?: string | undefined };

/** The current content of a skill. */
export interface StoredSkill {
  readonly row: SkillRow;
  readonly files: readonly SkillFile[];
  readonly skillMd: string;
}

export async function readStoredSkill(db: MainDb, row: SkillRow, version = row.version): Promise<StoredSkill> {
  const files = (await filesOfVersion(db, row.id, version)).map(fileOf);
  const file = files.find(({ path }) => path === SKILL_MD);
  const skillMd = file && (await findBlob(db, file.digest));
  if (!skillMd) throw new Error(`Version ${version} of the skill ${row.slug} has no ${SKILL_MD}`);
  return { row, files, skillMd: Buffer.from(skillMd).toString("utf8") };
}

export function fileOf({ path, digest, size, executable, is_text }: SkillFileRow): SkillFile {
  return { path, digest, size, executable, is_text };
}

/** The Markdown of a SKILL.md that was stored before. */
export function contentOf(skillMd: string): string {
  return (parseSkillMd(skillMd, new Findings())?.content ?? "").replace(/^(?:\r?\n)+/, "");
}

/** SKILL.md of a new skill. */
export function composeSkillMd(fields: SkillFields, content: string): string {
  return renderSkillMd(frontMatterOf(fields), content);
}

/** Undefined if the fields are those of the stored file, whose bytes then stay. Fields that we do not know are kept. */
export function changedSkillMd(stored: string, before: SkillFields, given: GivenFields): string | undefined {
  const content = contentOf(stored);
  const { content: newContent = content, ...fields } = given;
  const after = { ...before, ...fields };
  if (newContent === content && JSON.stringify(after) === JSON.stringify(before)) return undefined;
  const known = parseSkillMd(stored, new Findings())?.frontMatter ?? {};
  const others = Object.entries(known).filter(([key]) => !KNOWN_FIELDS.includes(key));
  return renderSkillMd({ ...frontMatterOf(after), ...Object.fromEntries(others) }, newContent);
}

function frontMatterOf({ name, description, license, compatibility, metadata, allowed_tools: tools }: SkillFields) {
  return {
    name,
    description,
    ...(license !== null && { license }),
    ...(compatibility !== null && { compatibility }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(tools.length > 0 && { "allowed-tools": tools.join(" ") }),
  };
}

/** `known` are files that may be named by digest. */
export function requestedFiles(files: readonly RequestedFile[], known: readonly SkillFile[] = []): GivenFile[] {
  return files.map(({ path, content, content_base64: base64, digest, executable = false }, at) => {
    const field = `files.${at}`;
    if (isSkillMd(path)) throw invalid(`${field}.path`, `${SKILL_MD} is written from the other fields`);
    const given = [content, base64, digest].filter((value) => value !== undefined);
    if (given.length !== 1) throw invalid(field, "must have one of content, content_base64 and digest");
    if (content !== undefined) return { path, executable, content: Buffer.from(content, "utf8") };
    if (base64 !== undefined) return { path, executable, content: decodeBase64(`${field}.content_base64`, base64) };
    const stored = known.find((file) => `sha256:${file.digest}` === digest);
    if (!stored) throw invalid(`${field}.digest`, "is not a file of this skill");
    return { ...stored, path, executable };
  });
}

/** Buffer.from ignores what it does not understand. */
export function decodeBase64(field: string, text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== text.replace(/=+$/, ""))
    throw invalid(field, "must be valid base64");
  return bytes;
}
