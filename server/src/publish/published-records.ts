import type { PublishedCredential } from "#records/credentials";
import type { PublishedGroup } from "#records/groups";
import type { PublishedItem, PublishedServer, PublishedTool } from "#records/mcp-servers";
import type { PublishedToolkit } from "#records/toolkits";
import type { PublishedUser } from "#records/users";
import type { MainDb } from "#storage/database";

export type {
  PublishedCredential,
  PublishedGroup,
  PublishedItem,
  PublishedServer,
  PublishedTool,
  PublishedToolkit,
  PublishedUser,
};

/** Reads the published rows of one kind, in pages that block neither the database nor the event loop. */
export interface PublishedRecords<Row extends { readonly id: string }> {
  all(db: MainDb): AsyncGenerator<Row[], void, undefined>;
  /** Deleted records are missing from the pages. */
  byIds(db: MainDb, ids: ReadonlySet<string>): AsyncGenerator<Row[], void, undefined>;
}

export function publishedRecords<Row extends { readonly id: string }>(
  readAfter: (db: MainDb, afterId: string, limit: number) => Promise<Row[]>,
  readByIds: (db: MainDb, ids: readonly string[]) => Promise<Row[]>,
  pageSize: number,
): PublishedRecords<Row> {
  return {
    async *all(db) {
      let afterId = "";
      for (;;) {
        const rows = await readAfter(db, afterId, pageSize);
        if (rows.length > 0) yield rows;
        const last = rows.at(-1);
        if (!last || rows.length < pageSize) return;
        afterId = last.id;
      }
    },
    async *byIds(db, ids) {
      const list = [...ids];
      for (let start = 0; start < list.length; start += pageSize) {
        yield await readByIds(db, list.slice(start, start + pageSize));
      }
    },
  };
}

/** For a kind whose rows fit in one page. */
export function singlePage<Row extends { readonly id: string }>(
  readAll: (db: MainDb) => Promise<Row[]>,
  readByIds: (db: MainDb, ids: ReadonlySet<string>) => Promise<Row[]>,
): PublishedRecords<Row> {
  return {
    async *all(db) {
      yield await readAll(db);
    },
    async *byIds(db, ids) {
      yield await readByIds(db, ids);
    },
  };
}
