/** The histories of users' marketplaces. */
import { storeBlobs } from "#records/file-blobs";
import type { MainDb, MainTransaction } from "#storage/database";
import type { MarketplaceCommitRow, MarketplaceFileRow } from "#storage/plugin-tables";
import { isLostRace } from "#storage/transaction";

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

/** False if another request was faster. `replacesAll` starts a new history. */
export async function addMarketplaceCommit(
  db: MainDb,
  userId: string,
  commit: NewMarketplaceCommit,
  replacesAll: boolean,
): Promise<boolean> {
  try {
    return await db.transaction().execute((tx) => insertCommit(tx, userId, commit, replacesAll));
  } catch (error) {
    if (isLostRace(error)) return false;
    throw error;
  }
}

async function insertCommit(
  tx: MainTransaction,
  userId: string,
  { files, contents, ...commit }: NewMarketplaceCommit,
  replacesAll: boolean,
): Promise<boolean> {
  await storeBlobs(tx, contents, commit.created_at);
  if (replacesAll) {
    const before = tx.deleteFrom("marketplace_commits").where("user_id", "=", userId);
    // Not all: another process may have started the new history.
    await before.where("number", "<", commit.number).execute();
  }
  const added = await tx
    .insertInto("marketplace_commits")
    .values({ ...commit, user_id: userId })
    .onConflict((conflict) => conflict.columns(["user_id", "number"]).doNothing())
    .returning("number")
    .executeTakeFirst();
  if (!added) return false;
  const rows = files.map((file): MarketplaceFileRow => ({ ...file, user_id: userId, number: commit.number }));
  await tx.insertInto("marketplace_files").values(rows).execute();
  return true;
}
