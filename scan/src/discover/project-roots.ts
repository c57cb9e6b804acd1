/** Folders of projects, found in files of clients and by their place in the home folder. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { appData } from "../tables/roots.ts";
import { HomeFiles } from "./home-files.ts";
import { isFields, parseConfig } from "./parse-config.ts";
import { type Found, type Place, SKIPPED_FOLDERS } from "./place.ts";

const WORK_FOLDERS = ["src", "code", "dev", "work", "projects", "repos", "Documents", "Developer"];
const EDITORS = ["Code", "Code - Insiders", "Cursor", "Windsurf", "Kiro"];
const MAX_PROJECTS = 2000;

/** `given` are folders of `--project`, which may be outside of the home folder. */
export function findProjects(place: Place, given: readonly string[]): Found[] {
  const inHome = [...claudeProjects(place), ...codexProjects(place), ...editorProjects(place), ...nearbyFolders(place)];
  const found = new Map<string, Found>();
  for (const path of inHome) {
    const real = place.files.resolve(path, false);
    if (real !== undefined && real !== place.home && place.files.isFolder(path))
      found.set(real, { path, files: place.files });
    if (found.size >= MAX_PROJECTS) break;
  }
  for (const path of given) found.set(path, { path, files: new HomeFiles(path, place.addError) });
  return [...found.values()];
}

function claudeProjects(place: Place): string[] {
  return keysOf(place, "~/.claude.json", "json", "projects");
}

function codexProjects(place: Place): string[] {
  return keysOf(place, "~/.codex/config.toml", "toml", "projects");
}

function keysOf(place: Place, template: string, format: "json" | "toml", key: string): string[] {
  return place.expand(template).flatMap(({ path, files }) => {
    const root = tryParse(() => parseConfig(files.read(path)?.bytes.toString("utf8") ?? "", format));
    const projects = isFields(root) ? root[key] : undefined;
    return isFields(projects) ? Object.keys(projects) : [];
  });
}

function editorProjects(place: Place): string[] {
  return EDITORS.flatMap((editor) => place.find(appData(`${editor}/User/workspaceStorage/*/workspace.json`))).flatMap(
    ({ path, files }) => {
      const root = tryParse(() => parseConfig(files.read(path, 64 * 1024)?.bytes.toString("utf8") ?? "", "json"));
      const folder = isFields(root) ? root.folder : undefined;
      const local =
        typeof folder === "string" && folder.startsWith("file:") ? tryParse(() => fileURLToPath(folder)) : undefined;
      return local === undefined ? [] : [local];
    },
  );
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

function tryParse<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
