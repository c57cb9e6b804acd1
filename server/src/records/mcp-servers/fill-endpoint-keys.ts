import { endpointKey } from "#lib/web-url";
import type { MainDb } from "#storage/database";

const SERVERS_PER_LOOK = 500;

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
    for (const { id, upstream_url: url, endpoint_key: stored } of rows) {
      const key = url === null ? null : endpointKey(url);
      if (key === stored) continue;
      await db
        .updateTable("mcp_servers")
        .set({ endpoint_key: key })
        .where("id", "=", id)
        .where("upstream_url", url === null ? "is" : "=", url)
        .execute();
    }
    after = last.id;
  }
}
