import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { BadSetting } from "#lib/bad-setting";

/** Contains SQLite files, the spool, and keys, so only the owner may read it. */
export function makeDataDir(path: string): void {
  try {
    createDirectories(resolve(path));
  } catch (error) {
    throw new BadSetting(`DATA_DIR: ${error instanceof Error ? error.message : path}`, { cause: error });
  }
}

/**
 * Creates parents one by one: Node's `recursive` option never returns if a parent exists but allows no new entries, as
 * in /proc.
 */
function createDirectories(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) createDirectories(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts concurrently created it first.
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}
