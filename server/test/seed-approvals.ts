import { join } from "node:path";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { sealArguments } from "#records/approvals";
import { findUser } from "#records/users";
import type { ApprovalRow } from "#storage/approval-tables";
import { readKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { approvalRow, insertApprovalRows } from "./approval-rows.ts";
import type { TestDatabase } from "./databases.ts";

const MINUTE_MS = 60_000;
const REFUND = `{"charge":"ch_3PqTzL2eZvKYlo2C","amount":125000,"currency":"usd","reason":"requested_by_customer"}`;

/** Approvals with fixed IDs: pending, approved and used, and denied for a member. */
export async function seedApprovals({ databases, dataDir }: TestDatabase, now: number): Promise<void> {
  const keys = [readKeyFile(join(dataDir, "gatehouse.key"))];
  const vault = await openVault(databases.main, keys, { clock: systemClock, logger: createLogger("silent") });
  const member = await findUser(databases.main, "bruno@acme.example");
  const row = (id: string, minutesAgo: number, changes: Partial<ApprovalRow>) => {
    const stripe = { server_slug: "stripe", server_name: "Stripe", tool: "refund" };
    const guard = { guard_slug: "payment-cards", guard_name: "Large refunds", check_names: ["Amount over $1,000"] };
    const sealed = { sealed_arguments: sealArguments(vault, id, REFUND), arguments_bytes: REFUND.length };
    return approvalRow(id, now - minutesAgo * MINUTE_MS, { ...stripe, ...guard, ...sealed, ...changes });
  };
  const decided = { decided_by: "olivia@acme.example", decided_at: now - 80 * MINUTE_MS };
  await insertApprovalRows(databases.main, [
    row("apr_seed1", 2, { user_email: "build-bot@machine.acme.example" }),
    row("apr_seed2", 90, {
      status: "approved",
      ...decided,
      note: "Agreed with finance",
      consumed_at: now - 79 * MINUTE_MS,
    }),
    row("apr_seed3", 85, {
      ...{ status: "denied", ...decided, note: "Use the refund form for amounts over $1,000" },
      ...{ user_id: member?.id ?? "", user_email: "bruno@acme.example" },
    }),
    row("apr_seed4", 200, { status: "expired", user_email: "ada@acme.example", tool: "create_payout" }),
  ]);
}
