import { mkdirSync } from "node:fs";
import { BadSetting } from "./config.ts";

/** For SQLite files, spool and keys: nobody else's to read. */
export function makeDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new BadSetting(`DATA_DIR: ${error instanceof Error ? error.message : path}`);
  }
}
