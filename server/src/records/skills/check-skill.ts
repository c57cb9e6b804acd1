import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { skillDigest } from "#policy/skill-digest";
import type { SkillFields } from "#storage/skill-tables";
import { checkFrontMatter } from "./check-front-matter.ts";
import { checkPaths, pathKey } from "./check-paths.ts";
import { Findings } from "./findings.ts";
import { type ParsedSkillMd, parseSkillMd } from "./front-matter.ts";
import {
  ADVISED_LINES,
  MAX_FILE_BYTES,
  MAX_SKILL_BYTES,
  MAX_SKILL_FILES,
  MAX_SKILL_MD_BYTES,
  SKILL_MD,
} from "./limits.ts";
import { brokenLinks } from "./links.ts";

export interface NewFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly executable: boolean;
}

/** A new file, or one whose content is stored already. */
export type GivenFile = NewFile | SkillFile;

/** A file as a version stores it. */
export interface SkillFile {
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly size: number;
  readonly executable: boolean;
  readonly is_text: boolean;
}

/** Content that can be stored. */
export interface CheckedSkill {
  readonly fields: SkillFields;
  readonly frontMatter: Record<string, unknown>;
  /** SKILL.md first, then the others by path. */
  readonly files: readonly SkillFile[];
  /** Of the new files, by digest. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** The Markdown below the front matter. */
  readonly content: string;
  /** Of the whole skill: `sha256:` and hexadecimal. */
  readonly digest: string;
  readonly size: number;
}

export interface CheckOptions {
  /** The name of the folder that contains the skill; undefined: none. */
  readonly folder?: string | undefined;
  /** The name of a file in errors. Default: its path. */
  readonly fieldOf?: (path: string, at: number) => string;
}

/** Checks all files of a skill, with SKILL.md. Undefined if there are errors. */
export function checkSkill(
  given: readonly GivenFile[],
  findings: Findings,
  { folder, fieldOf = (path) => path || "path" }: CheckOptions = {},
): CheckedSkill | undefined {
  const skillMd = given.find(({ path }) => path === SKILL_MD);
  const parsed = skillMd && "content" in skillMd ? readSkillMd(skillMd.content, findings) : undefined;
  if (!skillMd) findings.error(SKILL_MD, "is missing");
  const fields = parsed && checkFrontMatter(parsed, findings);
  if (parsed && fields) {
    checkContent(parsed, findings);
    if (folder !== undefined && fields.name !== folder)
      findings.error("name", `must be equal to the name of the folder: ${fields.name} is in the folder ${folder}`);
  }
  checkSizes(given, fieldOf, findings);
  checkPaths(
    given.map(({ path }) => path),
    fieldOf,
    findings,
  );
  checkScripts(given, findings);
  if (parsed) {
    const paths = new Set(given.map(({ path }) => path));
    for (const link of brokenLinks(parsed.content, paths))
      findings.warn(SKILL_MD, `links to ${link}, which is missing`);
  }
  if (findings.errors.length > 0 || !parsed || !fields) return undefined;
  return { fields, frontMatter: parsed.frontMatter, content: parsed.content, ...described(given) };
}

function readSkillMd(content: Uint8Array, findings: Findings): ParsedSkillMd | undefined {
  const bytes = Buffer.from(content);
  if (!isUtf8(bytes) || bytes.includes(0)) findings.error(SKILL_MD, "must be valid UTF-8");
  else if (bytes.length > MAX_SKILL_MD_BYTES)
    findings.error(SKILL_MD, `must be at most ${MAX_SKILL_MD_BYTES / 1024 / 1024} MiB`);
  else return parseSkillMd(bytes.toString("utf8"), findings);
  return undefined;
}

function checkContent({ content }: ParsedSkillMd, findings: Findings): void {
  if (content.trim() === "") findings.error("content", "content is required");
  const lines = content.split("\n").length;
  if (lines > ADVISED_LINES)
    findings.warn("content", `has ${lines} lines; move details to other files to stay below ${ADVISED_LINES}`);
}

function checkSizes(
  given: readonly GivenFile[],
  fieldOf: (path: string, at: number) => string,
  findings: Findings,
): void {
  if (given.length > MAX_SKILL_FILES) findings.error("files", `must be at most ${MAX_SKILL_FILES} with SKILL.md`);
  for (const [at, file] of given.entries()) {
    if (sizeOf(file) > MAX_FILE_BYTES)
      findings.error(fieldOf(file.path, at), `must be at most ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
  }
  const total = given.reduce((sum, file) => sum + sizeOf(file), 0);
  if (total > MAX_SKILL_BYTES)
    findings.error("files", `must be at most ${MAX_SKILL_BYTES / 1024 / 1024} MiB in total, with SKILL.md`);
}

function sizeOf(file: GivenFile): number {
  return "content" in file ? file.content.length : file.size;
}

function checkScripts(given: readonly GivenFile[], findings: Findings): void {
  for (const file of given) {
    if (!("content" in file)) continue;
    const { path, content, executable } = file;
    const isScript = path.startsWith("scripts/") && content[0] === 0x23 && content[1] === 0x21; // #!
    if (isScript && !executable) findings.warn(path, "is a script that is not executable");
  }
}

function described(given: readonly GivenFile[]) {
  const contents = new Map<string, Uint8Array>();
  const files = given.map((file): SkillFile => {
    if (!("content" in file)) return file;
    const { path, content, executable } = file;
    const digest = createHash("sha256").update(content).digest("hex");
    contents.set(digest, content);
    return { path, digest, size: content.length, executable, is_text: isText(content) };
  });
  const sorted = files.toSorted(byPath);
  const size = sorted.reduce((sum, file) => sum + file.size, 0);
  return { files: sorted, contents, digest: skillDigest(sorted), size };
}

function isText(content: Uint8Array): boolean {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return isUtf8(bytes) && !bytes.includes(0);
}

/** SKILL.md comes first. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  if (a.path === SKILL_MD || b.path === SKILL_MD) return a.path === b.path ? 0 : a.path === SKILL_MD ? -1 : 1;
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

/** Whether a path means SKILL.md on some file system. */
export function isSkillMd(path: string): boolean {
  return pathKey(path) === pathKey(SKILL_MD);
}

export { Findings };
