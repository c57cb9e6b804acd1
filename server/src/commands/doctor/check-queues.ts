import { lastCheckpoint, readChainState } from "#records/audit";
import type { Databases } from "#storage/database";
import { type Finding, failure, ok, warning } from "./finding.ts";

const HOUR_MS = 60 * 60 * 1000;

/** What the audit log's verification found, and whether events wait for their receivers. */
export async function checkQueues({ main }: Databases, now: number): Promise<Finding[]> {
  return [await checkAudit(main, now), await checkWebhooks(main, now)];
}

async function checkAudit(db: Databases["main"], now: number): Promise<Finding> {
  const check = "Audit log";
  const { problem, verified_at: verifiedAt, seq } = await readChainState(db);
  if (problem) return failure(check, problem.message, "Run: gatehouse audit verify. Compare the log with a backup.");
  if (verifiedAt === null) return ok(check, "Not verified yet. A running service verifies it every minute.");
  const checkpoint = await lastCheckpoint(db);
  const message = `Verified up to entry ${seq}; the newest checkpoint is at entry ${checkpoint?.seq ?? 0}.`;
  if (now - verifiedAt < HOUR_MS) return ok(check, message);
  const hours = Math.floor((now - verifiedAt) / HOUR_MS);
  return warning(check, `${message} That was ${hours}h ago.`, "Start the service, or run: gatehouse audit verify");
}

async function checkWebhooks(db: Databases["main"], now: number): Promise<Finding> {
  const check = "Webhooks";
  const { count } = await db
    .selectFrom("webhook_deliveries")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("status", "=", "pending")
    .where("at", "<", now - HOUR_MS)
    .executeTakeFirstOrThrow();
  if (Number(count) === 0) return ok(check, "No event has waited for its receiver for more than an hour.");
  return warning(
    check,
    `Events that have waited for their receiver for more than an hour: ${Number(count)}.`,
    "Run: gatehouse webhooks list",
  );
}
