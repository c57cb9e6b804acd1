import { type PublishedCredential, publishedCredentialsAfter, publishedCredentialsByIds } from "#records/credentials";
import { type PublishedGroup, publishedGroupsAfter, publishedGroupsByIds } from "#records/groups";
import {
  type PublishedItem,
  type PublishedServer,
  type PublishedTool,
  publishedServersAfter,
  publishedServersByIds,
} from "#records/mcp-servers";
import { type PublishedUser, publishedUsersAfter, publishedUsersByIds } from "#records/users";
import type { MainDb } from "#storage/database";

export type { PublishedCredential, PublishedGroup, PublishedItem, PublishedServer, PublishedTool, PublishedUser };

/** One noun's published rows, all of them or by id, in portions that neither database nor event loop feels. */
export interface PublishedRecords<Row extends { readonly id: string }> {
  all(db: MainDb): AsyncGenerator<Row[], void, undefined>;
  byIds(db: MainDb, ids: Iterable<string>): AsyncGenerator<Row[], void, undefined>;
}

const ROWS_PER_QUERY = 500;
/** A server comes with all its tools: this many are some 2 MB of definitions. */
const SERVERS_PER_QUERY = 100;

export const publishedServers = publishedRecords(publishedServersAfter, publishedServersByIds, SERVERS_PER_QUERY);
export const publishedGroups = publishedRecords(publishedGroupsAfter, publishedGroupsByIds, ROWS_PER_QUERY);
export const publishedUsers = publishedRecords(publishedUsersAfter, publishedUsersByIds, ROWS_PER_QUERY);
export const publishedCredentials = publishedRecords(
  publishedCredentialsAfter,
  publishedCredentialsByIds,
  ROWS_PER_QUERY,
);

function publishedRecords<Row extends { readonly id: string }>(
  readAfter: (db: MainDb, afterId: string, limit: number) => Promise<Row[]>,
  readByIds: (db: MainDb, ids: readonly string[]) => Promise<Row[]>,
  portion: number,
): PublishedRecords<Row> {
  return {
    async *all(db) {
      let afterId = "";
      for (;;) {
        const rows = await readAfter(db, afterId, portion);
        if (rows.length > 0) yield rows;
        const last = rows.at(-1);
        if (!last || rows.length < portion) return;
        afterId = last.id;
      }
    },
    async *byIds(db, ids) {
      const distinct = [...ids];
      for (let start = 0; start < distinct.length; start += portion) {
        yield await readByIds(db, distinct.slice(start, start + portion));
      }
    },
  };
}
