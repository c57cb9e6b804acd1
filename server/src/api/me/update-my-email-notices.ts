import { z } from "zod";
import { write } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { emailOptOuts, setEmailOptOuts } from "#records/emails";
import { changedOptOuts, EmailNotices, presentEmailNotices, UpdateEmailNoticesBody } from "./email-notices.ts";

export const updateMyEmailNotices = write({
  id: "updateMyEmailNotices",
  route: "PATCH /api/me/email-notices",
  tag: "Me",
  summary: "Turn email notices of the caller on or off",
  description:
    "Omitted notices keep their state. Invitations and emails about the security of the account, such as resets and changed passwords, are always sent.",
  scope: "any",
  callers: "people",
  body: UpdateEmailNoticesBody,
  answers: { 200: z.object({ data: EmailNotices }) },
  refusals: [400],
  onCrash: "Failed to update email notices",
  async run({ tx, trail, body, visitor }) {
    const { user } = personOf(visitor);
    const before = await emailOptOuts(tx, user.id);
    const after = changedOptOuts(before, body);
    await setEmailOptOuts(tx, user.id, after);
    trail.audit({
      operation: "updateMyEmailNotices",
      target: { kind: "user", id: user.id, name: user.email },
      before: { turned_off: before },
      after: { turned_off: after },
    });
    return { status: 200, body: { data: await presentEmailNotices(tx, user.id) } };
  },
});
