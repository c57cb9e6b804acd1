import { SKILL_MD, type SkillFile } from "./skills.ts";

/** A file in the editor: stored, or with new content. */
export interface DraftFile {
  readonly path: string;
  readonly executable: boolean;
  /** Of a stored file whose content did not change. */
  readonly digest?: string;
  /** Text that the editor shows; undefined for other files. */
  readonly text?: string;
  readonly base64?: string;
  readonly size: number;
}

export function draftsOf(files: readonly SkillFile[]): DraftFile[] {
  return files
    .filter(({ path }) => path !== SKILL_MD)
    .map(({ path, executable, digest, content, size }) => ({
      ...{ path, executable, digest, size },
      ...(content != null && { text: content }),
    }));
}

/** The files of a request. Unchanged ones are named by their digest. */
export function requestFiles(drafts: readonly DraftFile[]) {
  return drafts.map(({ path, executable, digest, text, base64 }) => {
    if (digest !== undefined) return { path, executable, digest };
    return base64 === undefined
      ? { path, executable, content: text ?? "" }
      : { path, executable, content_base64: base64 };
  });
}

export function withText(drafts: readonly DraftFile[], path: string, text: string): DraftFile[] {
  return drafts.map((file) => {
    if (file.path !== path) return file;
    const { digest: _stored, base64: _bytes, ...rest } = file;
    return { ...rest, text, size: new TextEncoder().encode(text).length };
  });
}

/** Adds a file, or replaces the one with its path. */
export function withFile(drafts: readonly DraftFile[], added: DraftFile): DraftFile[] {
  return [...drafts.filter(({ path }) => path !== added.path), added].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Undefined if the path can be added. The service checks it again. */
export function pathProblem(drafts: readonly DraftFile[], path: string): string | undefined {
  if (path.trim() === "") return "Enter a path";
  if (path.startsWith("/") || path.includes("\\") || path.split("/").some((part) => ["", ".", ".."].includes(part)))
    return "Enter a relative path, such as scripts/run.sh";
  const key = path.toLowerCase();
  if (key === SKILL_MD.toLowerCase()) return "SKILL.md is written from the other tabs";
  if (drafts.some((file) => file.path.toLowerCase() === key)) return "A file with this path exists";
  return undefined;
}
