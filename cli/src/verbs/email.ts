import type { Schemas } from "#openapi/types";
import { EXIT, Failure } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given } from "../read-json.ts";
import { LIMIT, type Noun, verb } from "../verb.ts";

type Email = Schemas["Email"];

const COLUMNS: Columns<Email> = {
  CREATED: (email) => email.created_at,
  KIND: (email) => email.kind,
  RECIPIENT: (email) => email.recipient,
  STATUS: (email) => email.status,
  ATTEMPTS: (email) => email.attempts,
  ERROR: (email) => email.error,
};

const STATUSES = ["pending", "sent", "failed", "canceled"] as const;

const status = verb({
  description: "Show the mail server and whether it accepts emails",
  example: "gatehouse email status",
  async run({ api, out }) {
    out.record((await api().getEmailStatus()).data);
  },
});

const list = verb({
  description: "List emails, newest first",
  options: {
    status: { type: "choice", choices: STATUSES, description: "only emails with this status" },
    recipient: { type: "text", hint: "email", description: "only emails to this person" },
    limit: LIMIT,
  },
  example: "gatehouse email list --status failed",
  async run({ api, options: { status: wanted, recipient, limit }, out }) {
    const { data } = await api().listEmails({ query: { status: wanted, recipient, limit } });
    out.list(data, COLUMNS, "No emails.");
  },
});

const test = verb({
  description: "Send a test email and show the result",
  options: { to: { type: "text", hint: "email", description: "a person of this installation (default: you)" } },
  example: "gatehouse email test --to ada@example.com",
  async run({ api, options: { to }, out }) {
    const { data } = await api().sendTestEmail({ body: given({ to }) });
    if (data.status !== "sent")
      throw new Failure(EXIT.failed, `The test email was not sent. ${data.error ?? ""}`.trim());
    out.say(`The mail server accepted the test email to ${data.recipient}.`);
    out.record(data);
  },
});

export const email: Noun = {
  description: "The mail server, and the emails that were sent",
  verbs: { status, list, test },
  example: "gatehouse email test",
};
