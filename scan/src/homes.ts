import { realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { ReportedError } from "#policy/types";
import { HomeFiles } from "./discover/home-files.ts";
import type { Settings } from "./settings.ts";

export interface Home {
  readonly path: string;
  readonly username: string;
}

const IGNORED = new Set(["Shared", "Public", "Default", "Default User", "All Users", "lost+found", "Guest"]);

/** With the home of root. The service accepts reports of as many users. */
const MAX_HOMES = 1000;

export interface Homes {
  readonly homes: readonly Home[];
  readonly errors: readonly ReportedError[];
}

/** The homes to scan: one, or with `--all-users` all of the device. Items of users beyond the limit are kept. */
export function findHomes({ allUsers, platform, home, username, systemRoot = "/" }: Settings): Homes {
  if (!allUsers) return { homes: [{ path: home, username }], errors: [] };
  const folder = join(systemRoot, platform === "linux" ? "home" : "Users");
  const root = join(systemRoot, "root");
  const errors: ReportedError[] = [];
  const homes = listHomes(systemRoot, folder, errors).filter(({ path }) => realPathOf(path) !== realPathOf(root));
  if (homes.length >= MAX_HOMES) errors.push({ path: folder, code: "too_many_entries" });
  const all = homes.slice(0, MAX_HOMES - 1);
  if (platform === "linux" && isFolder(root)) all.push({ path: root, username: "root" });
  return { homes: all, errors };
}

/**
 * Runs an action with the rights of the owner of a home folder. A process of root then reads and writes nothing that the
 * owner could not, whatever links the owner puts there.
 */
export function asOwner<T>(home: string, action: () => T): T {
  const { seteuid, setegid, setgroups, getgroups } = process;
  if (process.geteuid?.() !== 0 || !seteuid || !setegid || !setgroups || !getgroups) return action();
  const { uid, gid } = statSync(home);
  if (uid === 0) return action();
  const groups = getgroups();
  try {
    setgroups([gid]);
    setegid(gid);
    seteuid(uid);
    return action();
  } finally {
    seteuid(0);
    setegid(0);
    setgroups(groups);
  }
}

/** Links to folders below the root of the system are homes too. Each folder is one home, under its own name if it has one. */
function listHomes(systemRoot: string, folder: string, errors: ReportedError[]): Home[] {
  const files = new HomeFiles(systemRoot, (path, code) => errors.push({ path, code }));
  const folders = files.list(folder).filter(({ isFolder }) => isFolder);
  const names = new Map<string, string>();
  for (const { name, path } of folders.toSorted((a, b) => Number(a.isLink) - Number(b.isLink))) {
    const real = realPathOf(path);
    if (!names.has(real)) names.set(real, name);
  }
  // A link to a folder that contains the homes is not a home.
  const homes = [...names].filter(([real]) => !withSeparator(realPathOf(folder)).startsWith(withSeparator(real)));
  return homes
    .map(([, name]) => ({ path: join(folder, name), username: name }))
    .filter(({ username }) => !IGNORED.has(username) && !username.startsWith("."))
    .sort((a, b) => (a.username < b.username ? -1 : 1));
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
