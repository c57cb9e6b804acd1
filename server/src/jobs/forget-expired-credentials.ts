import { deleteExpiredCredentials } from "#records/credentials";
import { type WriteAuthor, type WriteContext, writeTransaction } from "#storage/transaction";
import type { Job } from "./runner.ts";

const MINUTE_MS = 60 * 1000;
const PER_SLICE = 500;
const SLICES_PER_TURN = 100;
const EXPIRY: WriteAuthor = {
  actor: { kind: "system", id: "expiry", name: "Expiry" },
  requestId: "expiry",
};

/** A credential ends by the clock alone; this only gives back the room that it takes, here and in the snapshots. */
export function forgetExpiredCredentialsJob(context: WriteContext): Job {
  return {
    name: "forget-expired-credentials",
    everyMs: 10 * MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      const before = context.clock.now() - MINUTE_MS;
      for (let slice = 0; slice < SLICES_PER_TURN; slice++) {
        const { result: ids } = await writeTransaction(context, EXPIRY, async (tx, trail) => {
          const deleted = await deleteExpiredCredentials(tx, before, PER_SLICE);
          trail.changed("credential", ...deleted);
          return deleted;
        });
        if (ids.length < PER_SLICE) return;
      }
    },
  };
}
