import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "./settings.ts";

export interface Home {
  readonly path: string;
  readonly username: string;
}

const IGNORED = new Set(["Shared", "Public", "Default", "Default User", "All Users", "lost+found", "Guest"]);

/** The homes to scan: one, or with `--all-users` all of the device. */
export function findHomes({ allUsers, platform, home, username, systemRoot = "/" }: Settings): Home[] {
  if (!allUsers) return [{ path: home, username }];
  const folder = join(systemRoot, platform === "linux" ? "home" : "Users");
  const homes = listFolders(folder)
    .filter((name) => !IGNORED.has(name) && !name.startsWith("."))
    .map((name) => ({ path: join(folder, name), username: name }));
  const root = join(systemRoot, "root");
  return platform === "linux" && isFolder(root) ? [...homes, { path: root, username: "root" }] : homes;
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
