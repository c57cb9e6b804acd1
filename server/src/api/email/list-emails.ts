import { z } from "zod";
import { TimePagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, limitParameter, textParameter } from "#api/kit/parameters";
import { fold } from "#lib/fold";
import { listEmails as listRows } from "#records/emails";
import { EMAIL_KINDS, EMAIL_STATUSES } from "#storage/email-tables";
import { Email, presentEmail } from "./schema.ts";

/** Decision 0167. */
export const listEmails = read({
  id: "listEmails",
  route: "GET /api/email/messages",
  tag: "Email",
  summary: "List emails, newest first",
  description: "Emails are kept for 30 days, and at most 10,000. Their text is never returned.",
  scope: "admin:read",
  query: {
    status: choiceParameter("Only emails with this status", EMAIL_STATUSES),
    kind: choiceParameter("Only emails of this kind", EMAIL_KINDS),
    recipient: textParameter("Only emails to the person with this email, case-insensitive"),
    cursor: textParameter("The `nextCursor` of the previous page"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(Email), pagination: TimePagination }) },
  refusals: [400],
  onCrash: "Failed to retrieve emails",
  async run({ db, query: { status, kind, recipient, cursor, limit } }) {
    const filter = { status, kind, recipient: recipient === undefined ? undefined : fold(recipient) };
    const { rows, nextCursor } = await listRows(db, filter, { limit, cursor });
    const pagination = { limit, hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? null };
    return { status: 200, body: { data: rows.map(presentEmail), pagination } };
  },
});
