import { open } from "node:fs/promises";
import { checkpointsOf, entriesAfter, presentCheckpoint, readCursor, shippedEntry, writeCursor } from "#records/audit";
import { isSubscribed } from "#records/webhooks";
import { type WriteContext, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { Job } from "./runner.ts";

const EVERY_MS = 15_000;
const ENTRIES_PER_SLICE = 200;
const SLICES_PER_TURN = 100;
const AUTHOR = {
  actor: { kind: "system", id: "audit-shipping", name: "Audit shipping" },
  requestId: "ship-audit",
} as const;

export interface ShippingNeeds {
  readonly context: WriteContext;
  readonly vault: Vault;
  /** A file that entries and checkpoints are appended to. */
  readonly auditFile: string | undefined;
}

/** Ships entries to webhooks that subscribe to `audit.entry`, and entries and checkpoints to the operator's file. */
export function shipAuditJob({ context, vault, auditFile }: ShippingNeeds): Job {
  return {
    name: "ship-audit",
    everyMs: EVERY_MS,
    oncePerOrganization: true,
    async run() {
      await shipToWebhooks(context);
      if (auditFile !== undefined) await shipToFile(context, vault, auditFile);
    },
  };
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

/** At least once: after a crash between the two steps, the last slice is appended again. */
async function shipToFile({ db, clock }: WriteContext, vault: Vault, path: string): Promise<void> {
  const from = (await readCursor(db, "file")) ?? 0;
  let shipped = from;
  const file = await open(path, "a", 0o600);
  try {
    for (let slice = 0; slice < SLICES_PER_TURN; slice++) {
      const entries = await entriesAfter(db, shipped, ENTRIES_PER_SLICE);
      const last = entries.at(-1)?.seq;
      if (last === undefined || last === null) break;
      await file.appendFile(linesOf(entries.map((entry) => ({ type: "entry", ...shippedEntry(entry) }))));
      await file.datasync();
      await writeCursor(db, "file", last, clock.now());
      shipped = last;
    }
    const signedFrom = ((await readCursor(db, "file-checkpoints")) ?? 0) + 1;
    const checkpoints = (await checkpointsOf(db, { from: signedFrom, to: shipped })).filter(
      ({ kind }) => kind === "periodic",
    );
    const newest = checkpoints.at(-1);
    if (!newest) return;
    await file.appendFile(
      linesOf(checkpoints.map((row) => ({ type: "checkpoint", ...presentCheckpoint(vault, row) }))),
    );
    await file.datasync();
    await writeCursor(db, "file-checkpoints", newest.seq, clock.now());
  } finally {
    await file.close();
  }
}

function linesOf(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
