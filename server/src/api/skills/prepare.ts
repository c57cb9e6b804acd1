/** Reads, checks and examines the content of a skill before the transaction that saves it. */

import type { z } from "zod";
import { invalid, Refusal } from "#lib/errors";
import {
  type ArchivedSkill,
  type CheckedSkill,
  checkSkill,
  composeSkillMd,
  decodeBase64,
  type Findings,
  type GivenFile,
  readSkillArchive,
  SKILL_MD,
} from "#records/skills";
import type { CreateSkillBody, ImportSkillBody } from "./bodies.ts";

type CreateBody = z.output<typeof CreateSkillBody>;
type ImportBody = z.output<typeof ImportSkillBody>;

/** A field of a request, for errors about files. */
export const requestField = (path: string, at: number) => (path === SKILL_MD ? SKILL_MD : `files.${at}.path`);

export function skillMdFile(text: string): GivenFile {
  return { path: SKILL_MD, executable: false, content: Buffer.from(text, "utf8") };
}

/** SKILL.md comes last, so that positions of other files are those of the request. */
export function checkRequested(
  body: CreateBody,
  files: readonly GivenFile[],
  findings: Findings,
): CheckedSkill | undefined {
  const { name, description, license = null, compatibility = null, metadata, allowed_tools: tools, content } = body;
  const fields = { name, description, license, compatibility, metadata: metadata ?? {}, allowed_tools: tools ?? [] };
  const given = [...files, skillMdFile(composeSkillMd(fields, content))];
  return checkSkill(given, findings, { fieldOf: requestField });
}

export interface Imported {
  readonly checked: CheckedSkill | undefined;
  readonly type: "upload" | "paste";
}

/** The body of an import: a ZIP file, the same in base64, or the text of SKILL.md. */
export async function readImport(
  archive: Buffer | undefined,
  body: ImportBody | undefined,
  findings: Findings,
): Promise<Imported> {
  const { archive_base64: base64, skill_md: skillMd } = body ?? {};
  if (skillMd !== undefined && (archive ?? base64) === undefined) {
    return { checked: checkSkill([skillMdFile(skillMd)], findings), type: "paste" };
  }
  const bytes = archive ?? (base64 === undefined ? undefined : decodeBase64("archive_base64", base64));
  if (!bytes || skillMd !== undefined) throw invalid("body", "must have one of archive_base64 and skill_md");
  const unpacked: ArchivedSkill | undefined = await readSkillArchive(bytes, findings);
  const checked = unpacked && checkSkill(unpacked.files, findings, { folder: unpacked.folder });
  return { checked, type: "upload" };
}

/** The content was checked against another state of the skill. */
export function changedMeanwhile(): Refusal {
  return new Refusal("conflict", "The skill was changed at the same time. Load it again, then repeat your change.");
}
