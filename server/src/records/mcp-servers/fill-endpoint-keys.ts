import { endpointKey } from "#lib/web-url";
import type { MainDb } from "#storage/database";

const SERVERS_PER_LOOK = 500;
/** Each transaction waits for the disk. Others wait for its rows. */
const SERVERS_PER_WRITE = 100;

/**
 * Stores the endpoint key of every server's URL. Rows of earlier releases have none or an outdated one, and SQL cannot
 * compute it. Safe to repeat and to run next to writers.
 */
export async function fillEndpointKeys(db: MainDb): Promise<void> {
  for (let after = ""; ; ) {
    const rows = await db
      .selectFrom("mcp_servers")
      .select(["id", "upstream_url", "endpoint_key"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(SERVERS_PER_LOOK)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    const outdated = rows
      .map(({ id, upstream_url: url, endpoint_key: stored }) => {
        return { id, url, stored, key: url === null ? null : endpointKey(url) };
      })
      .filter(({ key, stored }) => key !== stored);
    for (let start = 0; start < outdated.length; start += SERVERS_PER_WRITE)
      await storeKeys(db, outdated.slice(start, start + SERVERS_PER_WRITE));
    after = last.id;
  }
}

interface KeyOfUrl {
  readonly id: string;
  readonly url: string | null;
  readonly key: string | null;
}

/** Not if the URL has changed meanwhile. */
async function storeKeys(db: MainDb, servers: readonly KeyOfUrl[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { id, url, key } of servers) {
      await tx
        .updateTable("mcp_servers")
        .set({ endpoint_key: key })
        .where("id", "=", id)
        .where("upstream_url", url === null ? "is" : "=", url)
        .execute();
    }
  });
}
