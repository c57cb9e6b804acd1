import { z } from "zod";
import { text } from "#api/kit/body-fields";
import { action } from "#api/kit/operation";
import { invalid, Refusal } from "#lib/errors";
import { findEmail } from "#records/emails";
import { responsibleFor } from "#records/issuers";
import { findUser, findUserById } from "#records/users";
import type { MainDb } from "#storage/database";
import type { Actor } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { Email, presentEmail } from "./schema.ts";

export const SendTestEmailBody = z
  .object({
    to: text()
      .optional()
      .describe("The email of a person of this installation. Omitted: the person who sends the request"),
  })
  .meta({ id: "SendTestEmail", description: "A test email", example: { to: "ada@example.com" } });

/** Decision 0167. Only people of this installation, so that it cannot be used to send emails to others. */
export const sendTestEmail = action({
  id: "sendTestEmail",
  route: "POST /api/email/test",
  tag: "Email",
  summary: "Send a test email",
  description:
    "Sends an email through the mail server and returns the result. It is not retried. Responds with 409 if the installation has no mail server.",
  scope: "admin:write",
  body: SendTestEmailBody,
  bodyIsOptional: true,
  answers: { 200: z.object({ data: Email }) },
  refusals: [400, 409],
  onCrash: "Failed to send test email",
  async run({ db, body, actor, requestId, address, context }) {
    const person = await recipientOf(db, actor, body.to);
    const id = await context.emails.sendTest(person, { actor, requestId, address });
    const row = id === undefined ? undefined : await findEmail(db, id);
    if (!row) throw new Refusal("conflict", "This installation has no mail server. Set SMTP_HOST and SMTP_FROM");
    return { status: 200, body: { data: presentEmail(row) } };
  },
});

async function recipientOf(db: MainDb, actor: Actor, to: string | undefined): Promise<UserRow> {
  const personId = to === undefined ? await responsibleFor(db, actor) : null;
  const user = to === undefined ? personId !== null && (await findUserById(db, personId)) : await findUser(db, to);
  if (!user && to === undefined)
    throw invalid("to", "to is required, because no person is responsible for this API token");
  if (!user) throw invalid("to", `user not found: ${to}`);
  if (user.is_machine_user) throw invalid("to", `not a person: ${to}`);
  return user;
}
