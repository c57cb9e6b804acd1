import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { BadSetting } from "#lib/bad-setting";

/** For SQLite files, spool and keys: nobody else's to read. */
export function makeDataDir(path: string): void {
  try {
    makeFolders(resolve(path));
  } catch (error) {
    throw new BadSetting(`DATA_DIR: ${error instanceof Error ? error.message : path}`);
  }
}

/** One by one: Node's `recursive` never ends where a parent is there and still nothing can be made in it, as in /proc. */
function makeFolders(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolders(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts with us was first.
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}
