import { z } from "zod";
import { read } from "#api/kit/operation";
import { targetParameter } from "#api/kit/parameters";
import { presentWebSession, WebSession } from "#api/presenters/listed-web-session";
import { notFound } from "#lib/errors";
import { findUser } from "#records/users";
import { listWebSessions } from "#records/web-sessions";

export const listUserSessions = read({
  id: "listUserSessions",
  route: "GET /api/users/sessions",
  tag: "Users",
  summary: "List a person's web sessions, newest first",
  scope: "admin:read",
  query: { email: targetParameter("The person's email, case-insensitive", "ada@example.com") },
  answers: { 200: z.object({ data: z.array(WebSession) }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve sessions",
  async run({ db, query, visitor, context }) {
    const user = await findUser(db, query.email);
    if (!user) throw notFound.user(query.email);
    const sessions = await listWebSessions(db, user.id, context.clock.now());
    return { status: 200, body: { data: sessions.map((each) => presentWebSession(each, visitor?.session.id)) } };
  },
});
