import type { Job } from "#jobs/runner";
import type { Clock } from "#lib/clock";
import { deleteKeptAnswers } from "#records/idempotency";
import { serverIdsDueForSync } from "#records/mcp-servers";
import type { MainDb } from "#storage/database";
import type { ServerSync } from "#sync/sync-server";

const HOUR_MS = 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;
const SYNC_EVERY_MS = 15 * MINUTE_MS;
const SYNCED_PER_RUN = 500;

/** Everything that happens by itself, in one list. */
export function periodicJobs({ db, clock, sync }: { db: MainDb; clock: Clock; sync: ServerSync }): Job[] {
  return [
    {
      name: "sync-tools",
      everyMs: MINUTE_MS,
      oncePerOrganization: true,
      async run() {
        const now = clock.now();
        const due = { failedBefore: now - MINUTE_MS, readBefore: now - SYNC_EVERY_MS };
        const serverIds = await serverIdsDueForSync(db, due, SYNCED_PER_RUN);
        await Promise.allSettled(serverIds.map((serverId) => sync.now(serverId)));
      },
    },
    {
      name: "forget-idempotency-answers",
      everyMs: HOUR_MS,
      oncePerOrganization: true,
      run: () => deleteKeptAnswers(db, clock.now() - 24 * HOUR_MS),
    },
  ];
}
