import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { textIssues } from "#policy/issues";
import { redactScript, redactText } from "#policy/redact";
import { type DigestedFile, skillDigest } from "#policy/skill-digest";
import type { ReportedSkill, SkillSource } from "#policy/types";
import { PROJECT_SKILL_FOLDERS, SKILL_FOLDERS } from "../tables/skills.ts";
import type { HomeFiles } from "./home-files.ts";
import { isFields } from "./parse-config.ts";
import { parseYaml } from "./parse-yaml.ts";
import type { Found, Place } from "./place.ts";

const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_SKILL_MD = 1024 * 1024;
/** Files that operating systems create, and the history of git. */
const IGNORED = new Set([".DS_Store", "Thumbs.db", "desktop.ini", ".git"]);
const SCRIPT = /\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|php|lua|ps1|bat|cmd|exe|jar)$/i;
const FENCED = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;

export interface FoundSkill {
  readonly item: ReportedSkill;
  readonly origin: { readonly path: string; readonly home: string };
}

/** Longer texts are cut. */
const MAX_CONTENT_LENGTH = 256 * 1024;
const MAX_FRONT_MATTER = 64 * 1024;
const MAX_NAME_LENGTH = 256;
const MAX_TEXT_LENGTH = 1024;

export function scanSkills(place: Place, projects: readonly Found[], includeContent: boolean): FoundSkill[] {
  const own = SKILL_FOLDERS.flatMap(({ client, source, paths }) =>
    place.find(paths).flatMap((folder) => skillsIn(place, folder, client, source, undefined, includeContent)),
  );
  const ofProjects = projects.flatMap((project) =>
    PROJECT_SKILL_FOLDERS.flatMap(([client, path]) =>
      place
        .expandIn(project, path)
        .flatMap((folder) => skillsIn(place, folder, client, "project", project.path, includeContent)),
    ),
  );
  return [...own, ...ofProjects];
}

function skillsIn(
  place: Place,
  { path: folder, files }: Found,
  client: string,
  source: SkillSource,
  project: string | undefined,
  includeContent: boolean,
): FoundSkill[] {
  return files
    .list(folder)
    .filter(({ isFolder }) => isFolder)
    .flatMap(({ name, path }) => {
      const file = join(path, "SKILL.md");
      const skillMd = files.read(file, MAX_SKILL_MD);
      if (skillMd === undefined) {
        // The folder is the path of the skill in reports.
        if (place.isUnread(file)) place.addError(path, "not_readable");
        return [];
      }
      const text = skillMd.bytes.toString("utf8");
      const content = readFolder(files, path);
      const item: ReportedSkill = {
        ...describe(text, name),
        client,
        path: place.display(path),
        files_count: content.files.length,
        size_bytes: content.size,
        digest: skillDigest(content.files),
        has_scripts: content.hasScripts,
        source,
        issues: [...content.issues].sort(),
        ...(project !== undefined && { project: place.display(project) }),
        username: place.username,
        ...(includeContent && { content: redactText(text, MAX_CONTENT_LENGTH) }),
      };
      return [{ item, origin: { path, home: place.home } }];
    });
}

function describe(text: string, folder: string): Pick<ReportedSkill, "name" | "description" | "allowed_tools"> {
  const match = text.startsWith("---") ? FENCED.exec(text) : null;
  let fields: unknown;
  try {
    fields = match?.index === 0 ? parseYaml(firstLines(match[1] ?? "")) : undefined;
  } catch {
    fields = undefined;
  }
  const front = isFields(fields) ? fields : {};
  return {
    name: redactText(typeof front.name === "string" && front.name !== "" ? front.name : folder, MAX_NAME_LENGTH),
    description: redactText(typeof front.description === "string" ? front.description : "", MAX_TEXT_LENGTH),
    allowed_tools: allowedTools(front["allowed-tools"]),
  };
}

/** Patterns of commands, so they are redacted like commands. */
function allowedTools(value: unknown): string | null {
  const tools = Array.isArray(value) ? value.join(" ") : value;
  return typeof tools === "string" ? redactScript(tools, MAX_TEXT_LENGTH) : null;
}

/** Complete lines, because the beginning of a secret is not recognized. */
function firstLines(text: string): string {
  if (text.length <= MAX_FRONT_MATTER) return text;
  return text.slice(0, text.lastIndexOf("\n", MAX_FRONT_MATTER) + 1);
}

interface FolderContent {
  readonly files: readonly DigestedFile[];
  readonly size: number;
  readonly hasScripts: boolean;
  readonly issues: ReadonlySet<string>;
}

/** Everything below the folder. Above the limits of organization skills, the rest counts with its path only. */
function readFolder(files: HomeFiles, root: string): FolderContent {
  const found: DigestedFile[] = [];
  const issues = new Set<string>();
  let size = 0;
  let hasScripts = false;
  for (const file of walk(files, root, "", 8)) {
    const limit = found.length < MAX_FILES ? MAX_BYTES - size : 0;
    const bytes = limit > 0 ? readBytes(files, file, limit) : undefined;
    for (const issue of issuesOf(file, bytes)) issues.add(issue);
    size += bytes?.length ?? 0;
    found.push({ path: file.relative, digest: sha(bytes ?? "unread") });
    hasScripts ||= isScript(file.relative, bytes);
  }
  return { files: found, size, hasScripts, issues };
}

/** A link counts with its target, so that a skill with links is never equal to one of the organization. */
function readBytes(files: HomeFiles, { path, isLink }: WalkedFile, limit: number): Buffer | undefined {
  return isLink ? Buffer.from(`symlink:${linkTarget(path)}`) : files.read(path, limit)?.bytes;
}

function issuesOf({ isLink }: WalkedFile, bytes: Buffer | undefined): string[] {
  if (bytes === undefined) return ["too_large"];
  return isLink || bytes.length > MAX_SKILL_MD ? [] : textIssues(bytes.toString("utf8"));
}

interface WalkedFile {
  readonly path: string;
  readonly relative: string;
  readonly isLink: boolean;
}

/** Files and links below a folder. Links are not followed. */
function walk(files: HomeFiles, folder: string, prefix: string, depth: number): WalkedFile[] {
  const walked = files.list(folder).flatMap(({ name, path, isFolder, isFile, isLink }) => {
    const relative = `${prefix}${name}`;
    if (IGNORED.has(name)) return [];
    if (isLink || isFile) return [{ path, relative, isLink }];
    return isFolder && depth > 0 ? walk(files, path, `${relative}/`, depth - 1) : [];
  });
  return walked.slice(0, MAX_FILES * 4);
}

function isScript(path: string, bytes: Buffer | undefined): boolean {
  return SCRIPT.test(path) || path.startsWith("scripts/") || bytes?.subarray(0, 2).toString() === "#!";
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function sha(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
