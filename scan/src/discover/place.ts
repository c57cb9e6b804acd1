import { dirname, join, parse } from "node:path";
import { redactText, shortenHome } from "#policy/redact";
import type { Platform, ReportedError, ScanErrorCode } from "#policy/types";
import { isSystemPath, type PathRoot, type PlatformPaths, pathsFor } from "../tables/roots.ts";
import { HomeFiles } from "./home-files.ts";

export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  "node_modules .git vendor venv .venv dist build target Library .cache .npm .cargo .rustup __pycache__ .Trash AppData .gradle .m2".split(
    " ",
  ),
);
const MAX_ERRORS = 1000;
const MAX_PATH_LENGTH = 1024;
const MAX_USERNAME_LENGTH = 255;

export interface PlaceOptions {
  readonly platform: Platform;
  readonly home: string;
  readonly username: string;
  /** The root of system-wide paths; undefined: they are not read. */
  readonly systemRoot: string | undefined;
  /** How deep `**` and project folders are searched. */
  readonly maxDepth: number;
  /** Folders that the environment of this user moved, by the template they replace. */
  readonly moved?: Readonly<Record<string, string>>;
}

export interface Found {
  readonly path: string;
  readonly files: HomeFiles;
}

/** One home folder, or the system-wide files of a device, and how paths of the tables are found there. */
export class Place {
  readonly platform: Platform;
  readonly home: string;
  readonly username: string;
  readonly maxDepth: number;
  readonly files: HomeFiles;
  readonly errors: ReportedError[] = [];
  readonly #unread = new Set<string>();
  readonly #systemFiles: HomeFiles | undefined;
  readonly #systemRoot: string | undefined;
  readonly #moved: Readonly<Record<string, string>>;

  constructor({ platform, home, username, systemRoot, maxDepth, moved = {} }: PlaceOptions) {
    this.platform = platform;
    this.home = home;
    this.username = redactText(username, MAX_USERNAME_LENGTH);
    this.maxDepth = maxDepth;
    this.#moved = moved;
    this.#systemRoot = systemRoot;
    this.files = new HomeFiles(home, this.addError);
    this.#systemFiles = systemRoot === undefined ? undefined : new HomeFiles(systemRoot, this.addError);
  }

  readonly addError = (path: string, code: ScanErrorCode): void => {
    // What is outside of the home folder is never read, so nothing there is unknown.
    if (code !== "outside_home") this.#unread.add(path);
    const shown = this.display(path);
    const isKnown = this.errors.some((error) => error.path === shown && error.code === code);
    if (isKnown || this.hasTooManyErrors) return;
    // Whatever else cannot be read is somewhere in the home folder or in system-wide files.
    const isLast = this.errors.length === MAX_ERRORS - 1;
    this.errors.push(isLast ? { path: this.display(this.home), code: "too_many_entries" } : { path: shown, code });
  };

  /** Some paths that could not be read are not in `errors`. */
  get hasTooManyErrors(): boolean {
    return this.errors.length >= MAX_ERRORS;
  }

  /** Whether this file, or a folder that contains it, could not be read. A missing one could. */
  isUnread(path: string): boolean {
    for (let at = path; ; at = dirname(at)) {
      if (this.#unread.has(at)) return true;
      if (at === dirname(at)) return false;
    }
  }

  /** Files and folders of a table that exist, or may exist, here. Wildcards are expanded. */
  find(paths: PlatformPaths): Found[] {
    return pathsFor(paths, this.platform).flatMap((template) => this.expand(template));
  }

  expand(template: string): Found[] {
    const isSystem = isSystemPath(template);
    const files = isSystem ? this.#systemFiles : this.files;
    if (files === undefined) return [];
    const [base, rest] = this.#base(template);
    return expandSegments(files, base, rest, this.maxDepth).map((path) => ({ path, files }));
  }

  /** `folder` and its wildcards below a project. */
  expandIn(project: Found, template: string): Found[] {
    return expandSegments(project.files, project.path, template.split("/"), this.maxDepth).map((path) => ({
      path,
      files: project.files,
    }));
  }

  /** The path as reports show it. */
  display(path: string): string {
    const shown = redactText(shortenHome(path, [this.home]), MAX_PATH_LENGTH);
    return shown.startsWith("~") ? shown.replaceAll("\\", "/") : shown;
  }

  #base(template: string): [string, string[]] {
    for (const [prefix, folder] of Object.entries(this.#moved)) {
      if (template === prefix || template.startsWith(`${prefix}/`)) {
        return [
          folder,
          template
            .slice(prefix.length + 1)
            .split("/")
            .filter((part) => part !== ""),
        ];
      }
    }
    const [root = "~", ...rest] = template.split("/");
    return [this.#rootFolder(root as PathRoot), rest];
  }

  #rootFolder(root: PathRoot): string {
    const system = this.#systemRoot ?? parse(this.home).root;
    const folders: Record<PathRoot, string> = {
      "~": this.home,
      AS: join(this.home, "Library", "Application Support"),
      XC: join(this.home, ".config"),
      AD: join(this.home, "AppData", "Roaming"),
      LD: join(this.home, "AppData", "Local"),
      SYS: system,
      PD: join(system, "ProgramData"),
      PF: join(system, "Program Files"),
    };
    return folders[root];
  }
}

function expandSegments(files: HomeFiles, base: string, segments: readonly string[], depth: number): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [base];
  if (segment === "**") {
    const here = expandSegments(files, base, rest, depth);
    if (depth <= 0) return here;
    const below = folders(files, base).flatMap((path) => expandSegments(files, path, segments, depth - 1));
    return [...here, ...below];
  }
  if (!segment.includes("*")) return expandSegments(files, join(base, segment), rest, depth);
  const [before = "", after = ""] = segment.split("*");
  return files
    .list(base)
    .filter(
      ({ name }) => name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after),
    )
    .flatMap(({ path }) => expandSegments(files, path, rest, depth));
}

/** Linked folders are not searched, so a search always ends. */
function folders(files: HomeFiles, path: string): string[] {
  return files
    .list(path)
    .filter(({ name, isFolder, isLink }) => isFolder && !isLink && !SKIPPED_FOLDERS.has(name))
    .map((entry) => entry.path);
}
