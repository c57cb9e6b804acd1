import { expireApprovals } from "#records/approvals";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { Job } from "./runner.ts";

const MINUTE_MS = 60 * 1000;
const PER_TRANSACTION = 100;
const AUTHOR = { actor: { kind: "system", id: "expiry", name: "Expiry" }, requestId: "expire-approvals" } as const;

/** Expires approvals that were not decided in time, and reports that to webhooks and waiting calls. */
export function expireApprovalsJob(context: WriteContext): Job {
  return {
    name: "expire-approvals",
    everyMs: MINUTE_MS,
    oncePerOrganization: true,
    async run() {
      for (let expired = PER_TRANSACTION; expired === PER_TRANSACTION; ) {
        const now = context.clock.now();
        const written = await writeTransaction(context, AUTHOR, (tx, trail) =>
          expireApprovals(tx, trail, now, PER_TRANSACTION),
        );
        expired = written.result;
      }
    },
  };
}
