import type { NewId } from "#lib/ids";
import type { MainDb, MainTransaction } from "#storage/database";
import type { EmailData, EmailKind } from "#storage/email-tables";
import type { UserRow } from "#storage/user-tables";
import { whoWant } from "./opt-outs.ts";
import { isEmailEnabled } from "./state.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Callers decide how often these happen, so a person gets at most one such email in this time. */
const COMBINED_MS = 5 * MINUTE_MS;
const COMBINED: ReadonlySet<EmailKind> = new Set(["approval_requested", "access_requested"]);
/** A mail server that was away for longer than this would send news that are old. */
const NOTICE_LASTS_MS = DAY_MS;
const MOST_RECIPIENTS = 50;
const LONGEST_TEXT = 500;

export interface QueuedEmail {
  readonly kind: EmailKind;
  readonly recipients: readonly Pick<UserRow, "id" | "email">[];
  readonly data: EmailData;
  readonly now: number;
  /** Default: in a day. */
  readonly expiresAt?: number;
  /** Seals the token of an invitation for the row with this ID. */
  readonly sealToken?: (id: string) => string;
}

/**
 * Stores an email for each recipient, in the transaction of its cause. Returns how many people are notified: none if the
 * installation has no mail server, or all turned this notice off.
 */
export async function queueEmails(tx: MainTransaction, newId: NewId, email: QueuedEmail): Promise<number> {
  if (email.recipients.length === 0 || !(await isEmailEnabled(tx))) return 0;
  const recipients = (await whoWant(tx, email.kind, email.recipients)).slice(0, MOST_RECIPIENTS);
  if (recipients.length === 0) return 0;
  const { waiting, lastAt } = COMBINED.has(email.kind) ? await combinable(tx, email) : NOTHING_TO_COMBINE;
  if (waiting.size > 0) {
    await tx
      .updateTable("emails")
      .set((row) => ({ events: row("events", "+", 1) }))
      .where("id", "in", [...waiting.values()])
      .execute();
  }
  const { kind, data, now, expiresAt = now + NOTICE_LASTS_MS, sealToken } = email;
  const rows = recipients
    .filter(({ id }) => !waiting.has(id))
    .map(({ id: user_id, email: recipient }) => {
      const id = newId("eml");
      const last = lastAt.get(user_id);
      return {
        ...{ id, kind, user_id, recipient, data: bound(data), sealed_token: sealToken?.(id) ?? null, events: 1 },
        ...{ status: "pending" as const, at: now, expires_at: expiresAt, claimed_by: null, attempts: 0 },
        due_at: last === undefined ? now : Math.max(now, last + COMBINED_MS),
        ...{ last_attempt_at: null, last_error: null },
      };
    });
  if (rows.length > 0) await tx.insertInto("emails").values(rows).execute();
  return recipients.length;
}

const NOTHING_TO_COMBINE = { waiting: new Map<string, string>(), lastAt: new Map<string, number>() };

/** By person: the email that waits, and when the last one was queued. */
async function combinable(tx: MainTransaction, { kind, recipients, now }: QueuedEmail) {
  const ids = recipients.map(({ id }) => id);
  const rows = await tx
    .selectFrom("emails")
    .select(["id", "user_id", "status", "claimed_by", "at"])
    .where("user_id", "in", ids)
    .where("kind", "=", kind)
    .where("at", ">", now - NOTICE_LASTS_MS)
    .where((is) => is.or([is("at", ">", now - COMBINED_MS), is("status", "=", "pending")]))
    .orderBy("at")
    .execute();
  const waiting = rows.filter(({ status, claimed_by }) => status === "pending" && claimed_by === null);
  return {
    waiting: new Map(waiting.map(({ user_id, id }) => [user_id, id])),
    lastAt: new Map(rows.map(({ user_id, at }) => [user_id, at])),
  };
}

/** The people who decide about approvals and access requests, except those with these IDs. */
export async function deciders(db: MainDb, except: readonly string[]): Promise<Pick<UserRow, "id" | "email">[]> {
  const people = await db
    .selectFrom("users")
    .select(["id", "email"])
    .where("is_machine_user", "=", false)
    .where("disabled", "=", false)
    .where("role", "in", ["owner", "admin"])
    .orderBy("id")
    .limit(MOST_RECIPIENTS + except.length)
    .execute();
  return people.filter(({ id }) => !except.includes(id)).slice(0, MOST_RECIPIENTS);
}

/** Names and reasons come from people and servers. */
function bound(data: EmailData): EmailData {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === "string" ? value.slice(0, LONGEST_TEXT) : value,
    ]),
  );
}
