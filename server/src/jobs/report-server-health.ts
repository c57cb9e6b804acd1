import type { Clock } from "#lib/clock";
import { FAILING_MS, failingServers, recentCallsOf } from "#records/calls";
import { findServerById, findServersBySlug } from "#records/mcp-servers";
import { forgetReported, isSubscribed, reportHealthy, reportUnhealthy, serversReported } from "#records/webhooks";
import type { Databases } from "#storage/database";
import { type WriteAuthor, type WriteContext, writeTransaction } from "#storage/transaction";
import type { Job } from "./runner.ts";

const MINUTE_MS = 60 * 1000;
const SLUGS_PER_QUERY = 200;
const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "health", name: "Health" }, requestId: "health" };

/**
 * Emits `server.unhealthy` and `server.healthy` for servers whose calls fail. Failed syncs are reported by the sync itself;
 * calls are in another database, so their result is compared here with what was reported.
 */
export function reportServerHealthJob(context: WriteContext, databases: Databases, clock: Clock): Job {
  return {
    name: "report-server-health",
    everyMs: MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      if (!(await isSubscribed(context.db, ["server.unhealthy", "server.healthy"]))) {
        // Otherwise a webhook that is created later would receive the end of a failure that it does not know.
        await forgetReported(context.db, "failing");
        return;
      }
      const since = clock.now() - FAILING_MS;
      const slugs = await failingServers(databases.callReports, since);
      await reportFailing(context, databases, slugs);
      await reportRecovered(context, new Set(slugs));
    },
  };
}

async function reportFailing(context: WriteContext, databases: Databases, slugs: readonly string[]): Promise<void> {
  for (let start = 0; start < slugs.length; start += SLUGS_PER_QUERY) {
    const some = slugs.slice(start, start + SLUGS_PER_QUERY);
    const recent = await recentCallsOf(databases.callReports, some);
    for (const server of await findServersBySlug(context.db, some)) {
      // A failed sync was reported already, with a better message.
      if (server.sync_error !== null) continue;
      const message = recent.get(server.slug)?.failure?.error ?? "Calls fail";
      const report = { status: "failing", message, now: context.clock.now() } as const;
      await writeTransaction(context, AUTHOR, (tx, trail) => reportUnhealthy(tx, trail, server, report));
    }
  }
}

async function reportRecovered(context: WriteContext, failing: ReadonlySet<string>): Promise<void> {
  for (const id of await serversReported(context.db, "failing")) {
    const server = await findServerById(context.db, id);
    if (!server || failing.has(server.slug) || server.sync_error !== null) continue;
    await writeTransaction(context, AUTHOR, (tx, trail) => reportHealthy(tx, trail, server, "failing"));
  }
}
