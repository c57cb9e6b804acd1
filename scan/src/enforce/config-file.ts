import {
  chownSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { HomeFiles } from "../discover/home-files.ts";
import { hashOf } from "../discover/servers.ts";
import { asOwner } from "../homes.ts";
import { CannotEdit } from "./edit-config.ts";

export interface OpenedConfig {
  readonly text: string;
  readonly hash: string;
}

/** The file that a link names. Clients can share a file, which is then edited once. */
export function realPathOf({ home, path }: { readonly home: string; readonly path: string }): string {
  try {
    return asOwner(home, () => realpathSync.native(path));
  } catch {
    return path;
  }
}

/** The same file without links below the home folder. They can name another file later. */
export function withoutLinks({ home, path }: { readonly home: string; readonly path: string }): string {
  const inside = relative(realPathOf({ home, path: home }), realPathOf({ home, path }));
  return inside.startsWith("..") || isAbsolute(inside) ? path : join(home, inside);
}

/** Reads a file for editing. Refuses files that text cannot represent exactly. */
export function openConfig(home: string, path: string): OpenedConfig {
  let reason = "the file is missing";
  const file = new HomeFiles(home, (_path, code) => {
    reason = code;
  }).read(path);
  if (file === undefined) throw new CannotEdit(reason);
  const text = file.bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(file.bytes)) throw new CannotEdit("the file is not valid UTF-8");
  return { text, hash: hashOf(file.bytes) };
}

/**
 * Replaces a file in one step, with the same mode and owner. Refuses if it is not the file that was read. A link stays,
 * and the file that it names is replaced.
 */
export function replaceConfig(home: string, path: string, text: string, expectedHash: string): void {
  const real = realpathSync.native(path);
  if (!real.startsWith(withSeparator(realpathSync.native(home))))
    throw new CannotEdit("the file is outside of the home folder");
  const { mode, uid, gid } = statSync(real);
  removeUnfinished(real);
  const temporary = join(dirname(real), `.gatehouse-${process.pid}-${Date.now()}.tmp`);
  try {
    writeCompletely(temporary, text, mode);
    const created = statSync(temporary);
    if (created.uid !== uid || created.gid !== gid) chownSync(temporary, uid, gid);
    if (openConfig(home, path).hash !== expectedHash) throw new CannotEdit("the file changed since the scan");
    renameSync(temporary, real);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Creates a file that was deleted, and its folders, but not the home folder. Readable by its owner only, because entries have secrets. */
export function createMissingConfig(home: string, path: string, text: string): void {
  if (existsSync(path)) return;
  if (!existsSync(home)) throw new CannotEdit("the home folder is missing");
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  if (!withSeparator(realpathSync.native(folder)).startsWith(withSeparator(realpathSync.native(home))))
    throw new CannotEdit("the file is outside of the home folder");
  mkdirSync(dirname(path), { recursive: true });
  writeCompletely(path, text, 0o600);
}

/** Fails if the disk is full: a single write can store only the beginning, without an error. */
function writeCompletely(path: string, text: string, mode: number): void {
  const file = openSync(path, "wx", mode & 0o777);
  try {
    writeFileSync(file, text);
    fchmodSync(file, mode & 0o7777);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Deletes what a process that was killed left next to the file. It contains secrets. */
export function removeUnfinished(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder))
    if (/^\.gatehouse-\d+-\d+\.tmp$/.test(name)) rmSync(join(folder, name), { force: true });
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}
