import { z } from "zod";
import { isoTime, recordId, timestamp } from "#api/kit/answers";
import { EMAIL_KINDS, EMAIL_STATUSES, type EmailRow } from "#storage/email-tables";

export const Email = z
  .object({
    id: recordId("eml"),
    kind: z.enum(EMAIL_KINDS).describe("Why the email is sent"),
    recipient: z.string().describe("The recipient's email"),
    status: z
      .enum(EMAIL_STATUSES)
      .describe(
        "`sent`: the mail server accepted it. `failed`: it is not sent anymore. `canceled`: the invitation was replaced, used, or revoked before it was sent",
      ),
    events: z.int().describe("How many events of this kind the email reports"),
    attempts: z.int().describe("Number of attempts"),
    error: z.string().nullable().describe("Why the last attempt failed. Null: it did not"),
    created_at: timestamp("When it was queued"),
    last_attempt_at: timestamp("The last attempt. Null: none").nullable(),
    next_attempt_at: timestamp("The next attempt. Null: none").nullable(),
  })
  .meta({ id: "Email", description: "An email that waits, was sent, or failed, without its text" });

export const EmailStatus = z
  .object({
    enabled: z.boolean().describe("Whether the installation has a mail server"),
    host: z.string().nullable().describe("Host of the mail server. Null: none"),
    port: z.int().nullable().describe("Port of the mail server. Null: none"),
    tls: z.enum(["starttls", "tls", "none"]).nullable().describe("How connections are encrypted. Null: no mail server"),
    from: z.string().nullable().describe("Sender of emails. Null: no mail server"),
    last_sent_at: timestamp("When the mail server accepted the last email. Null: never").nullable(),
    failing_since: timestamp(
      "The first failed attempt since then. Null: the last attempt succeeded, or there was none",
    ).nullable(),
    last_error: z.string().nullable().describe("Why the last failed attempt failed. Null: none failed"),
    pending: z.int().describe("Emails that wait for the mail server"),
    failed: z.int().describe("Emails of the last 30 days that could not be sent"),
  })
  .meta({ id: "EmailStatus", description: "The mail server, and whether it accepts emails" });

export function presentEmail(row: EmailRow): z.input<typeof Email> {
  const { id, kind, recipient, status, events, attempts } = row;
  return {
    ...{ id, kind, recipient, status, events, attempts, error: row.last_error, created_at: isoTime(row.at) },
    last_attempt_at: row.last_attempt_at === null ? null : isoTime(row.last_attempt_at),
    next_attempt_at: status === "pending" ? isoTime(row.due_at) : null,
  };
}
