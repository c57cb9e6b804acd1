import { readZip } from "#lib/zip/read-zip";
import { ZipFault } from "#lib/zip/zip-fault";
import { pathProblem } from "./check-paths.ts";
import type { NewFile } from "./check-skill.ts";
import type { Findings } from "./findings.ts";
import { ARCHIVE_LIMITS, SKILL_MD } from "./limits.ts";

/** Files that operating systems add to archives and folders. */
const SYSTEM_FILES = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

export interface ArchivedSkill {
  readonly files: readonly NewFile[];
  /** The folder that contains the skill; undefined: SKILL.md is at the top. */
  readonly folder: string | undefined;
}

/** Undefined if the archive is refused; the findings then contain the reason. */
export async function readSkillArchive(archive: Buffer, findings: Findings): Promise<ArchivedSkill | undefined> {
  try {
    return fromTop(await readZip(archive, ARCHIVE_LIMITS), findings);
  } catch (fault) {
    if (!(fault instanceof ZipFault)) throw fault;
    findings.error("archive", fault.message);
    return undefined;
  }
}

/** The skill is at the top of the archive, or in its only folder. */
function fromTop(unpacked: readonly NewFile[], findings: Findings): ArchivedSkill | undefined {
  // Before anything is removed from a path, because removing a prefix could make an unsafe one look safe.
  const unsafe = unpacked.find(({ path }) => pathProblem(path) !== undefined);
  if (unsafe) {
    findings.error("archive", `contains an unsafe path: ${JSON.stringify(unsafe.path.slice(0, 100))}`);
    return undefined;
  }
  const files = unpacked.filter(({ path }) => !SYSTEM_FILES.test(path));
  if (files.length < unpacked.length)
    findings.warn("archive", `${unpacked.length - files.length} files of the operating system are omitted`);
  if (files.some(({ path }) => path === SKILL_MD)) return { files, folder: undefined };
  const tops = new Set(files.map(({ path }) => path.split("/")[0]));
  const [folder] = tops;
  if (tops.size !== 1 || folder === undefined || !files.some(({ path }) => path === `${folder}/${SKILL_MD}`)) {
    findings.error("archive", `must contain ${SKILL_MD} at the top or in its only folder`);
    return undefined;
  }
  return { files: files.map((file) => ({ ...file, path: file.path.slice(folder.length + 1) })), folder };
}
