/** Reads files below one folder. Nothing outside of it is read, whatever symbolic links say, and nothing is started. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { join, sep } from "node:path";
import type { ScanErrorCode } from "#policy/types";

export const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_ENTRIES = 5000;

export type ErrorSink = (path: string, code: ScanErrorCode) => void;

export interface FileContent {
  readonly path: string;
  readonly bytes: Buffer;
  readonly stats: Stats;
}

export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
  readonly isFile: boolean;
  readonly isLink: boolean;
}

export class HomeFiles {
  readonly #root: string;
  readonly #report: ErrorSink;

  /** `root` is the home folder, or the root of the system for system-wide files. */
  constructor(root: string, report: ErrorSink) {
    this.#root = withSeparator(realpathOf(root) ?? root);
    this.#report = report;
  }

  /** Undefined if the file is missing or cannot be read; the reason is then reported. */
  read(path: string, limit = MAX_FILE_BYTES): FileContent | undefined {
    const real = this.resolve(path);
    if (real === undefined) return undefined;
    return this.#guard(path, () => {
      // The type is checked before opening: opening a device or a pipe has effects, or waits.
      const kind = statSync(real);
      if (!kind.isFile()) return this.#failed(path, "not_a_file");
      if (kind.size > limit) return this.#failed(path, "too_large");
      return this.#readOpened(path, real, limit);
    });
  }

  #readOpened(path: string, real: string, limit: number): FileContent | undefined {
    const file = openSync(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return this.#failed(path, "not_a_file");
      if (stats.size > limit) return this.#failed(path, "too_large");
      if (!this.#isOpenedInside(file)) return this.#failed(path, "outside_home");
      return { path, stats, bytes: readAll(file, Math.min(stats.size, limit)) };
    } finally {
      closeSync(file);
    }
  }

  /** The entries of a folder by name; empty if it is missing. Links are followed inside the root. */
  list(path: string): FolderEntry[] {
    const real = this.resolve(path);
    if (real === undefined) return [];
    const listed = this.#guard(path, () => {
      if (!statSync(real).isDirectory()) return [];
      const entries = readdirSync(real, { withFileTypes: true });
      if (entries.length > MAX_ENTRIES) this.#report(path, "too_many_entries");
      return entries.slice(0, MAX_ENTRIES).flatMap((entry) => {
        const child = join(path, entry.name);
        // A name that is not UTF-8, so that its path is that of another file.
        if (entry.name.includes("\ufffd") && realpathOf(child) === undefined) this.#report(child, "not_readable");
        if (!entry.isSymbolicLink()) {
          return [
            { name: entry.name, path: child, isFolder: entry.isDirectory(), isFile: entry.isFile(), isLink: false },
          ];
        }
        const stats = this.#statLink(child);
        return stats
          ? [{ name: entry.name, path: child, isFolder: stats.isDirectory(), isFile: stats.isFile(), isLink: true }]
          : [];
      });
    });
    return (listed ?? []).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  isFolder(path: string): boolean {
    const real = this.resolve(path, false);
    return real !== undefined && (this.#guard(path, () => statSync(real).isDirectory()) ?? false);
  }

  /** The real path, if it exists inside the root. `report` is for paths outside of it. */
  resolve(path: string, report = true): string | undefined {
    const real = this.#guard(path, () => realpathSync.native(path));
    if (real === undefined) return undefined;
    if (withSeparator(real).startsWith(this.#root)) return real;
    if (report) this.#report(path, "outside_home");
    return undefined;
  }

  #statLink(path: string): Stats | undefined {
    const real = this.resolve(path);
    return real === undefined ? undefined : this.#guard(path, () => statSync(real));
  }

  /** A folder can be replaced by a link between the check and the opening; Linux shows what was opened. */
  #isOpenedInside(file: number): boolean {
    let opened: string;
    try {
      opened = readlinkSync(`/proc/self/fd/${file}`);
    } catch {
      return true;
    }
    return withSeparator(opened).startsWith(this.#root);
  }

  #failed(path: string, code: ScanErrorCode): undefined {
    this.#report(path, code);
    return undefined;
  }

  #guard<T>(path: string, action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      const isMissing = code === "ENOENT" || code === "ENOTDIR";
      if (!isMissing) this.#report(path, code === "ELOOP" ? "symlink_loop" : "not_readable");
      return undefined;
    }
  }
}

function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let read = 0;
  while (read < size) {
    const count = readSync(file, bytes, read, size - read, null);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

function realpathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}
