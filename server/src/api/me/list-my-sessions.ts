import { z } from "zod";
import { read } from "#api/kit/operation";
import { personOf } from "#api/kit/web-session";
import { presentWebSession, WebSession } from "#api/presenters/listed-web-session";
import { listWebSessions } from "#records/web-sessions";

export const listMySessions = read({
  id: "listMySessions",
  route: "GET /api/me/sessions",
  tag: "Me",
  summary: "List the caller's web sessions, newest first",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: z.array(WebSession) }) },
  refusals: [],
  onCrash: "Failed to retrieve sessions",
  async run({ db, visitor, context }) {
    const { user, session } = personOf(visitor);
    const sessions = await listWebSessions(db, user.id, context.clock.now());
    const data = sessions.map((each) => presentWebSession(each, session.id));
    return { status: 200, body: { data } };
  },
});
