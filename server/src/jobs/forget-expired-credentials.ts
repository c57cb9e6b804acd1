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

/** Credentials expire by the clock. This only frees their space in the database and in the snapshots. */
export function forgetExpiredCredentialsJob(context: WriteContext): Job {
  return {
    name: "forget-expired-credentials",
    everyMs: 10 * MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      const before = context.clock.now() - MINUTE_MS;
      for (let slice = 0; slice < SLICES_PER_TURN; slice++) {
        const { result: deleted } = await writeTransaction(context, EXPIRY, (tx, trail) =>
          deleteExpiredCredentials(tx, trail, before, PER_SLICE),
        );
        if (deleted < PER_SLICE) return;
      }
    },
  };
}
