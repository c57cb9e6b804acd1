import { chmodSync, cpSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** With modes and links. `cpSync` alone does not copy the modes of folders. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const inside = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = inside.map(({ parentPath, name }) => join(parentPath, name));
  for (const folder of [from, ...folders]) chmodSync(join(to, folder.slice(from.length)), statSync(folder).mode);
}
