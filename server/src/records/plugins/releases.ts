import { storeBlobs } from "#records/file-blobs";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";
import type { PluginFileRow, PluginReleaseRow, PluginRow } from "#storage/plugin-tables";
import { updatePlugin } from "./store.ts";

const ROWS_PER_INSERT = 100;

export interface NewRelease extends Omit<PluginReleaseRow, "plugin_id" | "number" | "size" | "files_count"> {
  readonly files: readonly Omit<PluginFileRow, "plugin_id" | "number">[];
  /** Of all files, by digest. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** `before` is the locked row. The plugin becomes active. */
export async function insertRelease(
  tx: MainTransaction,
  before: PluginRow,
  { files, contents, ...release }: NewRelease,
): Promise<{ plugin: PluginRow; release: PluginReleaseRow }> {
  const number = before.releases + 1;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const row: PluginReleaseRow = { plugin_id: before.id, number, ...release, size, files_count: files.length };
  await storeBlobs(tx, contents, release.published_at);
  await tx.insertInto("plugin_releases").values(row).execute();
  const rows = files.map((file): PluginFileRow => ({ plugin_id: before.id, number, ...file }));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx
      .insertInto("plugin_files")
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
  const changes = { releases: number, status: "active", updated_at: release.published_at } as const;
  return { plugin: await updatePlugin(tx, before, changes), release: row };
}

/** The latest releases of these plugins, by plugin. */
export async function latestReleases(db: MainDb, ids: readonly string[]): Promise<Map<string, PluginReleaseRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("plugin_releases")
    .innerJoin("plugins", (join) =>
      join
        .onRef("plugins.id", "=", "plugin_releases.plugin_id")
        .onRef("plugins.releases", "=", "plugin_releases.number"),
    )
    .selectAll("plugin_releases")
    .where("plugins.id", "in", idList(db, ids))
    .execute();
  return new Map(rows.map((row) => [row.plugin_id, row]));
}

export async function findRelease(db: MainDb, id: string, number: number): Promise<PluginReleaseRow | undefined> {
  return db
    .selectFrom("plugin_releases")
    .selectAll()
    .where("plugin_id", "=", id)
    .where("number", "=", number)
    .executeTakeFirst();
}

export async function findReleaseByVersion(
  db: MainDb,
  id: string,
  version: string,
): Promise<PluginReleaseRow | undefined> {
  return db
    .selectFrom("plugin_releases")
    .selectAll()
    .where("plugin_id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
}

/** Newest first. */
export async function listReleases(
  db: MainDb,
  id: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<PluginReleaseRow[]> {
  return db
    .selectFrom("plugin_releases")
    .selectAll()
    .where("plugin_id", "=", id)
    .orderBy("number", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** All releases with their files, oldest first. */
export async function releasesOf(
  db: MainDb,
  id: string,
): Promise<(PluginReleaseRow & { readonly files: readonly PluginFileRow[] })[]> {
  const releases = await db
    .selectFrom("plugin_releases")
    .selectAll()
    .where("plugin_id", "=", id)
    .orderBy("number")
    .execute();
  const files = await db.selectFrom("plugin_files").selectAll().where("plugin_id", "=", id).execute();
  const byNumber = Map.groupBy(files, ({ number }) => number);
  return releases.map((release) => ({ ...release, files: byNumber.get(release.number) ?? [] }));
}

/** Of one release, by path. */
export async function filesOfRelease(db: MainDb, id: string, number: number): Promise<PluginFileRow[]> {
  const rows = await db
    .selectFrom("plugin_files")
    .selectAll()
    .where("plugin_id", "=", id)
    .where("number", "=", number)
    .execute();
  return rows.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}
