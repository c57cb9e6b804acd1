import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { type Kysely, sql } from "kysely";
import type { CompactedFile } from "./database.ts";

/** One slice takes a few milliseconds, so that the writers of the file hardly wait. */
const PAGES_PER_SLICE = 2_000;
/** Free pages up to this share stay in the file, because new rows use them again. */
const KEPT_SHARE = 0.1;
const KEPT_PAGES = 1_000;
/** A file of an earlier release is rewritten once, if that is worth it and takes seconds. */
const REWRITE_SHARE = 0.25;
const REWRITE_MAX_BYTES = 256 * 1024 * 1024;
/** A rewrite needs a copy in a temporary file and one in the write-ahead log. */
const REWRITE_COPIES = 2.5;
const INCREMENTAL = 2;

export interface SqliteFile {
  readonly path: string;
  /** Its statements wait for open transactions, because SQLite cannot rewrite a file within one. */
  run(statement: string): Promise<unknown>;
}

export function sqliteFile<Tables>(path: string, db: Kysely<Tables>): SqliteFile {
  return {
    path,
    async run(statement) {
      const { rows } = await sql.raw<Record<string, unknown>>(statement).execute(db);
      return Object.values(rows[0] ?? {})[0];
    },
  };
}

/** Returns free pages of a SQLite file to the file system, one slice at a time. Resolves to whether there is more. */
export async function reclaimSpace(file: SqliteFile): Promise<boolean> {
  const { pages, free, bytesPerPage, canShrink } = await readPages(file);
  if (free <= Math.max(KEPT_PAGES, pages * KEPT_SHARE)) return false;
  if (canShrink) {
    await file.run(`PRAGMA incremental_vacuum(${PAGES_PER_SLICE})`);
    return true;
  }
  const usedBytes = (pages - free) * bytesPerPage;
  const isWorthIt = free >= pages * REWRITE_SHARE && usedBytes <= REWRITE_MAX_BYTES;
  if (isWorthIt && (await hasSpaceFor(file.path, usedBytes * REWRITE_COPIES))) await rewrite(file);
  return false;
}

export class NotEnoughSpace extends Error {
  override readonly name = "NotEnoughSpace";
}

/** Rewrites the file without free pages. Writers wait until it is done. */
export async function compactFile(file: SqliteFile): Promise<CompactedFile> {
  const { pages, free, bytesPerPage } = await readPages(file);
  const neededBytes = (pages - free) * bytesPerPage * REWRITE_COPIES;
  if (!(await hasSpaceFor(file.path, neededBytes))) {
    const megabytes = Math.ceil(neededBytes / 1024 / 1024);
    throw new NotEnoughSpace(
      `Compacting ${file.path} needs ${megabytes} MB of free disk space. Free some space, then try again.`,
    );
  }
  await rewrite(file);
  const after = await readPages(file);
  return { path: file.path, bytesBefore: pages * bytesPerPage, bytesAfter: after.pages * bytesPerPage };
}

async function rewrite(file: SqliteFile): Promise<void> {
  await file.run(`PRAGMA auto_vacuum = ${INCREMENTAL}`);
  await file.run("VACUUM");
  await file.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

async function readPages(file: SqliteFile) {
  const pragma = async (name: string) => Number(await file.run(`PRAGMA ${name}`));
  return {
    pages: await pragma("page_count"),
    free: await pragma("freelist_count"),
    bytesPerPage: await pragma("page_size"),
    canShrink: (await pragma("auto_vacuum")) === INCREMENTAL,
  };
}

async function hasSpaceFor(path: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize >= bytes;
}
