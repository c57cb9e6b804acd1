import { z } from "zod";
import { read } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { EmailNotices, presentEmailNotices } from "./email-notices.ts";

export const getMyEmailNotices = read({
  id: "getMyEmailNotices",
  route: "GET /api/me/email-notices",
  tag: "Me",
  summary: "Get the email notices of the caller",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: EmailNotices }) },
  refusals: [],
  onCrash: "Failed to retrieve email notices",
  async run({ db, visitor }) {
    return { status: 200, body: { data: await presentEmailNotices(db, personOf(visitor).user.id) } };
  },
});
