/** The histories of users' marketplaces. */
import { storeBlobs } from "#records/file-blobs";
import type { MainDb } from "#storage/database";
import type { MarketplaceCommitRow, MarketplaceFileRow } from "#storage/plugin-tables";

export interface MarketplaceCommit extends MarketplaceCommitRow {
  readonly files: readonly MarketplaceFileRow[];
}

/** Oldest first. */
export async function marketplaceCommitsOf(db: MainDb, userId: string): Promise<MarketplaceCommit[]> {
  const commits = await db
    .selectFrom("marketplace_commits")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("number")
    .execute();
  const files = await db.selectFrom("marketplace_files").selectAll().where("user_id", "=", userId).execute();
  const byNumber = Map.groupBy(files, ({ number }) => number);
  return commits.map((commit) => ({ ...commit, files: byNumber.get(commit.number) ?? [] }));
}

export interface NewMarketplaceCommit extends Omit<MarketplaceCommitRow, "user_id"> {
  readonly files: readonly Omit<MarketplaceFileRow, "user_id" | "number">[];
  /** Of the files, by digest. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** False if another process has added a commit with this number. `replacesAll` starts a new history. */
export async function addMarketplaceCommit(
  db: MainDb,
  userId: string,
  { files, contents, ...commit }: NewMarketplaceCommit,
  replacesAll: boolean,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await storeBlobs(tx, contents, commit.created_at);
    if (replacesAll) {
      const before = tx.deleteFrom("marketplace_commits").where("user_id", "=", userId);
      // Not all: another process may have started the new history.
      await before.where("number", "<", commit.number).execute();
    }
    const added = await tx
      .insertInto("marketplace_commits")
      .values({ user_id: userId, ...commit })
      .onConflict((conflict) => conflict.columns(["user_id", "number"]).doNothing())
      .returning("number")
      .executeTakeFirst();
    if (!added) return false;
    const rows = files.map((file): MarketplaceFileRow => ({ ...file, user_id: userId, number: commit.number }));
    await tx.insertInto("marketplace_files").values(rows).execute();
    return true;
  });
}
