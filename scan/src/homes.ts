import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ReportedError } from "#policy/types";
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
  const homes = listFolders(folder)
    .filter((name) => !IGNORED.has(name) && !name.startsWith("."))
    .map((name) => ({ path: join(folder, name), username: name }));
  const root = join(systemRoot, "root");
  const errors: ReportedError[] = homes.length >= MAX_HOMES ? [{ path: folder, code: "too_many_entries" }] : [];
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

function listFolders(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
