/** Folders of projects, found in files of clients and by their place in the home folder. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { appData } from "../tables/roots.ts";
import { HomeFiles } from "./home-files.ts";
import { isFields } from "./parse-config.ts";
import { type Found, type Place, SKIPPED_FOLDERS } from "./place.ts";
import type { ParsedFiles } from "./servers.ts";

const WORK_FOLDERS = ["src", "code", "dev", "work", "projects", "repos", "Documents", "Developer"];
const PROJECT_LISTS = [
  ["~/.claude.json", "json"],
  ["~/.codex/config.toml", "toml"],
] as const;
const EDITORS = ["Code", "Code - Insiders", "Cursor", "Windsurf", "Kiro"];
const MAX_WORKSPACE_BYTES = 64 * 1024;
const MAX_PROJECTS = 5000;
const MAX_LIMITED_FOLDERS = 50;

/** The projects that each file of a client lists. */
export type ListedProjects = Readonly<Record<string, readonly string[]>>;

export interface FoundProjects {
  readonly projects: readonly Found[];
  /** To be remembered, and given to the next scan. */
  readonly listed: ListedProjects;
  /** False: a file that lists projects could not be read, and there is nothing to remember. */
  readonly isComplete: boolean;
}

/**
 * `given` are folders of `--project`, which may be outside of the home folder. `remembered` is what files listed in an
 * earlier scan: while one cannot be read, its projects are still scanned.
 */
export function findProjects(
  place: Place,
  parsed: ParsedFiles,
  given: readonly string[],
  remembered: ListedProjects,
): FoundProjects {
  const { lists, listed } = readLists(place, parsed);
  for (const [path, roots] of Object.entries(remembered)) {
    if (!listed.has(path) && place.isUnread(path)) listed.set(path, roots);
  }
  const found = new Map<string, Found>();
  const limited = new Set<string>();
  for (const path of [...[...listed.values()].flat(), ...nearbyFolders(place)]) {
    const real = place.files.resolve(path, false);
    if (real === undefined || real === place.home || found.has(real) || !place.files.isFolder(path)) continue;
    if (found.size < MAX_PROJECTS) found.set(real, { path, files: place.files });
    else limited.add(dirname(path));
  }
  for (const path of limited.size > MAX_LIMITED_FOLDERS ? [place.home] : limited) {
    place.addError(path, "too_many_entries");
  }
  for (const path of given) found.set(path, { path, files: new HomeFiles(path, place.addError) });
  return {
    projects: [...found.values()],
    listed: Object.fromEntries(listed),
    isComplete: lists.every((path) => listed.has(path) || !place.isUnread(path)),
  };
}

/** What files of clients list now, and which of these files lists many projects. */
function readLists(place: Place, parsed: ParsedFiles) {
  const listed = new Map<string, readonly string[]>();
  const lists: string[] = [];
  for (const [template, format] of PROJECT_LISTS) {
    for (const found of place.expand(template)) {
      lists.push(found.path);
      const file = parsed.read(found, format);
      if (file !== undefined) listed.set(found.path, projectsOf(file.value));
    }
  }
  for (const found of EDITORS.flatMap((editor) =>
    place.find(appData(`${editor}/User/workspaceStorage/*/workspace.json`)),
  )) {
    const file = parsed.read(found, "json", MAX_WORKSPACE_BYTES);
    if (file !== undefined) listed.set(found.path, folderOf(file.value));
  }
  return { lists, listed };
}

function projectsOf(value: unknown): string[] {
  return isFields(value) && isFields(value.projects) ? Object.keys(value.projects) : [];
}

function folderOf(workspace: unknown): string[] {
  const folder = isFields(workspace) ? workspace.folder : undefined;
  if (typeof folder !== "string" || !folder.startsWith("file:")) return [];
  try {
    return [fileURLToPath(folder)];
  } catch {
    return [];
  }
}

/** Direct subfolders of the home folder, and two levels below the folders in which people keep their work. */
function nearbyFolders(place: Place): string[] {
  const direct = subfolders(place, place.home, false);
  const work = WORK_FOLDERS.map((name) => join(place.home, name)).filter((path) => place.files.isFolder(path));
  const children = work.flatMap((path) => subfolders(place, path, true));
  return [...direct, ...children, ...children.flatMap((path) => subfolders(place, path, true))];
}

function subfolders(place: Place, path: string, hidden: boolean): string[] {
  return place.files
    .list(path)
    .filter(({ name, isFolder, isLink }) => isFolder && !isLink && !SKIPPED_FOLDERS.has(name))
    .filter(({ name }) => hidden || !name.startsWith("."))
    .map((entry) => entry.path);
}
