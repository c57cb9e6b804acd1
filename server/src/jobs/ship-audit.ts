import { entriesAfter, readCursor, shippedEntry, writeCursor } from "#records/audit";
import { isSubscribed } from "#records/webhooks";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { Job } from "./runner.ts";

const EVERY_MS = 15_000;
const ENTRIES_PER_SLICE = 200;
const SLICES_PER_TURN = 100;
const AUTHOR = {
  actor: { kind: "system", id: "audit-shipping", name: "Audit shipping" },
  requestId: "ship-audit",
} as const;

/** Ships entries to webhooks that subscribe to `audit.entry`. */
export function shipAuditJob(context: WriteContext): Job {
  return { name: "ship-audit", everyMs: EVERY_MS, oncePerOrganization: true, run: () => shipToWebhooks(context) };
}

/** A new subscription starts with the next entry. */
async function shipToWebhooks(context: WriteContext): Promise<void> {
  const { db, clock } = context;
  const cursor = await readCursor(db, "webhooks");
  if (!(await isSubscribed(db, ["audit.entry"]))) {
    if (cursor !== undefined) await db.deleteFrom("audit_shipping").where("name", "=", "webhooks").execute();
    return;
  }
  if (cursor === undefined) {
    const { seq } = await db.selectFrom("audit_chain").select("seq").where("id", "=", 1).executeTakeFirstOrThrow();
    return writeCursor(db, "webhooks", seq, clock.now());
  }
  let from = cursor;
  for (let slice = 0; slice < SLICES_PER_TURN; slice++) {
    const entries = await entriesAfter(db, from, ENTRIES_PER_SLICE);
    const last = entries.at(-1)?.seq;
    if (last === undefined || last === null) return;
    await writeTransaction(context, AUTHOR, async (tx, trail) => {
      for (const entry of entries) trail.emit("audit.entry", shippedEntry(entry));
      await writeCursor(tx, "webhooks", last, clock.now());
    });
    from = last;
  }
}
