import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import { lockRows } from "#storage/lock-rows";

const READ_BYTES = 4 * 1024 * 1024;

/**
 * Stores contents by their digest. Marks those that exist already as used, which keeps `deleteUnusedBlobs` from deleting
 * them before the caller's references are committed.
 */
export async function storeBlobs(
  tx: MainTransaction,
  contents: ReadonlyMap<string, Uint8Array>,
  now: number,
): Promise<void> {
  // In one order, so that two writes with the same files do not wait for each other.
  const digests = [...contents.keys()].sort();
  const existing = tx.selectFrom("file_blobs").select("digest").where("digest", "in", idList(tx, digests));
  await lockRows(tx, existing.orderBy("digest")).execute();
  const known = await tx
    .updateTable("file_blobs")
    .set({ used_at: now })
    .where("digest", "in", idList(tx, digests))
    .returning("digest")
    .execute();
  const stored = new Set(known.map(({ digest }) => digest));
  for (const digest of digests) {
    const content = contents.get(digest);
    if (!content || stored.has(digest)) continue;
    await tx
      .insertInto("file_blobs")
      .values({ digest, size: content.length, content, used_at: now })
      .onConflict((conflict) => conflict.column("digest").doUpdateSet({ used_at: now }))
      .execute();
  }
}

export async function findBlob(db: MainDb, digest: string): Promise<Uint8Array | undefined> {
  const row = await db.selectFrom("file_blobs").select("content").where("digest", "=", digest).executeTakeFirst();
  return row?.content;
}

/** Reads contents in the given order, a few megabytes at a time. Throws if one is missing. */
export async function* readBlobs<File extends { readonly digest: string; readonly size: number }>(
  db: MainDb,
  files: readonly File[],
): AsyncGenerator<File & { readonly content: Uint8Array }, void, undefined> {
  for (let start = 0; start < files.length; ) {
    let end = start;
    for (let bytes = 0; end < files.length && (end === start || bytes < READ_BYTES); end++)
      bytes += files[end]?.size ?? 0;
    const part = files.slice(start, end);
    const rows = await db
      .selectFrom("file_blobs")
      .select(["digest", "content"])
      .where("digest", "in", idList(db, [...new Set(part.map(({ digest }) => digest))]))
      .execute();
    const contents = new Map(rows.map(({ digest, content }) => [digest, content]));
    for (const file of part) {
      const content = contents.get(file.digest);
      if (!content) throw new Error(`The file ${file.digest} is missing`);
      yield { ...file, content };
    }
    start = end;
  }
}

/** Deletes contents that nothing refers to and that were not used since. Returns how many, at most `limit`. */
export async function deleteUnusedBlobs(db: MainDb, usedBefore: number, limit: number): Promise<number> {
  const unused = db
    .selectFrom("file_blobs")
    .select("digest")
    .where("used_at", "<", usedBefore)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("skill_files").select("path").whereRef("skill_files.digest", "=", "file_blobs.digest"))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("plugin_files").select("path").whereRef("plugin_files.digest", "=", "file_blobs.digest"))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("marketplace_files").select("path").whereRef("marketplace_files.digest", "=", "file_blobs.digest"),
        ),
      ),
    )
    .orderBy("used_at")
    .limit(limit);
  const deleted = await db
    .deleteFrom("file_blobs")
    .where("digest", "in", unused)
    // Again, because a write can use a row while this statement waits for it.
    .where("used_at", "<", usedBefore)
    .returning("digest")
    .execute();
  return deleted.length;
}
