import { measureLags } from "#log-shipping/measure-lags";
import { lastCheckpoint, readChainState } from "#records/audit";
import { countEmails, readEmailState } from "#records/emails";
import type { Databases } from "#storage/database";
import { type Finding, failure, ok, warning } from "./finding.ts";

const HOUR_MS = 60 * 60 * 1000;

/** What the audit log's verification found, and whether events wait for their receivers. */
export async function* checkQueues(databases: Databases, now: number): AsyncGenerator<Finding> {
  const { main } = databases;
  yield await checkAudit(main, now);
  yield await checkWebhooks(main, now);
  yield await checkEmails(main, now);
  yield await checkLogShipping(databases, now);
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

async function checkLogShipping(databases: Databases, now: number): Promise<Finding> {
  const check = "Log destinations";
  const lags = await measureLags(databases, now);
  if (lags.length === 0) return ok(check, "No log destination is enabled.");
  const names = (found: typeof lags) => [...new Set(found.map(({ destination }) => destination))].join(", ");
  const advice = "Run: gatehouse log-destinations list";
  const late = lags.filter(({ isFailing, seconds }) => isFailing || seconds * 1000 > HOUR_MS);
  if (late.length > 0) return warning(check, `Logs wait for these destinations: ${names(late)}.`, advice);
  const lossy = lags.filter(({ lostAt }) => lostAt !== undefined && now - lostAt < 7 * 24 * HOUR_MS);
  if (lossy.length > 0) {
    const message = `In the last 7 days, retention deleted records before they were sent to: ${names(lossy)}.`;
    return warning(check, message, advice);
  }
  const cursors = lags.map(
    ({ destination, source, position, records }) => `${destination} ${source} ${position} (${records} waiting)`,
  );
  return ok(check, `Positions: ${cursors.join(", ")}.`);
}

async function checkEmails(db: Databases["main"], now: number): Promise<Finding> {
  const check = "Emails";
  const { pending, pendingSince = now } = await countEmails(db);
  if (now - pendingSince < HOUR_MS) return ok(check, "No email has waited for the mail server for more than an hour.");
  const error = (await readEmailState(db))?.last_error;
  const reason = error ? ` The last error: ${error}` : "";
  return warning(check, `Emails that wait for the mail server: ${pending}.${reason}`, "Run: gatehouse email list");
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
