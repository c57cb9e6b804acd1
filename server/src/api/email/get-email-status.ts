import { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { countEmails, readEmailState } from "#records/emails";
import { EmailStatus } from "./schema.ts";

/** Decision 0167. */
export const getEmailStatus = read({
  id: "getEmailStatus",
  route: "GET /api/email",
  tag: "Email",
  summary: "Get the status of the mail server",
  description: "The operator sets the mail server with environment variables. The password is never returned.",
  scope: "admin:read",
  answers: { 200: z.object({ data: EmailStatus }) },
  refusals: [],
  onCrash: "Failed to retrieve email status",
  async run({ db, context }) {
    const settings = context.emails.settings;
    const state = settings && (await readEmailState(db));
    const { pending, failed } = await countEmails(db);
    const time = (at: number | null | undefined) => (at == null ? null : isoTime(at));
    return {
      status: 200,
      body: {
        data: {
          enabled: settings !== undefined,
          ...{ host: settings?.host ?? null, port: settings?.port ?? null, tls: settings?.security ?? null },
          from: settings ? `${settings.from.name} <${settings.from.address}>` : null,
          ...{ last_sent_at: time(state?.sent_at), failing_since: time(state?.failing_since) },
          ...{ last_error: state?.last_error ?? null, pending, failed },
        },
      },
    };
  },
});
