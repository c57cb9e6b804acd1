import type { ExpressionBuilder } from "kysely";
import { decodeCursor, encodeCursor } from "#lib/cursor";
import type { OutboxClaim } from "#lib/outbox-runner";
import type { MainDb, MainTransaction } from "#storage/database";
import { deleteOldest } from "#storage/delete-oldest";
import type { EmailKind, EmailRow, EmailStatus } from "#storage/email-tables";
import type { MainTables } from "#storage/tables";

const EMAIL_ID = /^eml_\w+$/;

export interface EmailFilter {
  readonly status?: EmailStatus | undefined;
  readonly kind?: EmailKind | undefined;
  readonly recipient?: string | undefined;
}

/** Newest first. Throws if the cursor is invalid. */
export async function listEmails(
  db: MainDb,
  { status, kind, recipient }: EmailFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ rows: EmailRow[]; nextCursor: string | undefined }> {
  let query = db.selectFrom("emails").selectAll();
  if (status !== undefined) query = query.where("status", "=", status);
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (recipient !== undefined) {
    const users = db.selectFrom("users").select("id").where("email_key", "=", recipient);
    query = query.where("user_id", "in", users);
  }
  if (cursor !== undefined) {
    const after = decodeCursor(cursor, EMAIL_ID);
    query = query.where((row) => row(row.refTuple("at", "id"), "<", row.tuple(after.at, after.id)));
  }
  const rows = await query
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: last && rows.length > limit ? encodeCursor(last) : undefined };
}

export async function findEmail(db: MainDb, id: string): Promise<EmailRow | undefined> {
  return db.selectFrom("emails").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function insertEmail(tx: MainTransaction, row: EmailRow): Promise<void> {
  await tx.insertInto("emails").values(row).execute();
}

/** The last invitation email of each of these people. */
export async function invitationEmails(
  db: MainDb,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<EmailRow, "status" | "last_error" | "at">>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("emails")
    .select(["user_id", "status", "last_error", "at"])
    .where("user_id", "in", userIds)
    .where("kind", "=", "invitation")
    .orderBy("at")
    .orderBy("id")
    .execute();
  return new Map(rows.map(({ user_id, ...email }) => [user_id, email]));
}

export async function hasDueEmails(db: MainDb, now: number): Promise<boolean> {
  const due = db.selectFrom("emails").select("id").where("status", "=", "pending").where("due_at", "<=", now);
  return (await due.limit(1).executeTakeFirst()) !== undefined;
}

/** Of two processes that claim the same row, the second waits for the first and then finds that the row is not due. */
export async function claimEmails(db: MainDb, { holder, now, until }: OutboxClaim, limit: number): Promise<EmailRow[]> {
  return db
    .updateTable("emails")
    .set({ claimed_by: holder, due_at: until })
    .where("id", "in", (from) =>
      from
        .selectFrom("emails as due")
        .select("due.id")
        .where("due.status", "=", "pending")
        .where("due.due_at", "<=", now)
        .orderBy("due.due_at")
        .limit(limit),
    )
    .where("status", "=", "pending")
    .where("due_at", "<=", now)
    .returningAll()
    .execute();
}

/** Also if another process claimed it meanwhile: the mail server has it. */
export async function markEmailSent(db: MainDb, { id, attempts }: EmailRow, at: number): Promise<void> {
  await db
    .updateTable("emails")
    .set({ ...ENDED, status: "sent", attempts: attempts + 1, last_attempt_at: at, last_error: null })
    .where("id", "=", id)
    .where("status", "=", "pending")
    .execute();
}

/** It is not sent anymore. Does nothing if the claim is lost. */
export async function endEmail(
  db: MainDb,
  email: EmailRow,
  status: "failed" | "canceled",
  error: string | null,
): Promise<void> {
  await db
    .updateTable("emails")
    .set({ ...ENDED, status, last_error: error })
    .where(isClaimOf(email))
    .execute();
}

/** After a failed attempt: another one at `dueAt`, or none. Does nothing if the claim is lost. */
export async function noteFailedAttempt(
  db: MainDb,
  email: EmailRow,
  { at, error, dueAt }: { readonly at: number; readonly error: string; readonly dueAt: number | undefined },
): Promise<void> {
  const next = dueAt === undefined ? ({ ...ENDED, status: "failed" } as const) : { claimed_by: null, due_at: dueAt };
  await db
    .updateTable("emails")
    .set({ ...next, attempts: email.attempts + 1, last_attempt_at: at, last_error: error })
    .where(isClaimOf(email))
    .execute();
}

const ENDED = { claimed_by: null, sealed_token: null };

function isClaimOf({ id, due_at, claimed_by }: EmailRow) {
  return (is: ExpressionBuilder<MainTables, "emails">) =>
    is.and([
      is("id", "=", id),
      is("status", "=", "pending"),
      is("due_at", "=", due_at),
      is("claimed_by", "=", claimed_by),
    ]);
}

export interface EmailCounts {
  readonly pending: number;
  readonly failed: number;
  /** When the oldest pending one was queued. */
  readonly pendingSince: number | undefined;
}

/** Failed ones of the last days, as long as they are kept. */
export async function countEmails(db: MainDb): Promise<EmailCounts> {
  const rows = await db
    .selectFrom("emails")
    .select((select) => ["status", select.fn.countAll<number>().as("n"), select.fn.min("at").as("since")])
    .where("status", "in", ["pending", "failed"])
    .groupBy("status")
    .execute();
  const pending = rows.find(({ status }) => status === "pending");
  return {
    pending: Number(pending?.n ?? 0),
    failed: Number(rows.find(({ status }) => status === "failed")?.n ?? 0),
    pendingSince: pending && Number(pending.since),
  };
}

export function deleteEmailsBefore(db: MainDb, before: number, limit: number): Promise<boolean> {
  return deleteOldest(db, "emails", before, limit);
}

/** Keeps the newest emails, so that a mail server that fails for long cannot fill the table. */
export async function trimEmails(db: MainDb, keep: number): Promise<void> {
  const edge = await db
    .selectFrom("emails")
    .select(["at", "id"])
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  if (!edge) return;
  await db
    .deleteFrom("emails")
    .where((row) => row(row.refTuple("at", "id"), "<=", row.tuple(edge.at, edge.id)))
    .execute();
}
