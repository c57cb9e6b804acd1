import { z } from "zod";
import { isoTime } from "#api/http/answers";
import { read } from "#api/http/operation";
import { personOf } from "#api/http/web-session";
import { listWebSessions } from "#records/web-sessions";
import { WebSession } from "./schema.ts";

export const listMySessions = read({
  id: "listMySessions",
  route: "GET /api/me/sessions",
  tag: "Me",
  summary: "List where the caller is signed in, newest first",
  scope: "any",
  callers: "people",
  answers: { 200: z.object({ data: z.array(WebSession) }) },
  refusals: [],
  onCrash: "Failed to retrieve sessions",
  async run({ db, visitor, world }) {
    const { user, session } = personOf(visitor);
    const sessions = await listWebSessions(db, user.id, world.clock.now());
    const data = sessions.map((each) => ({
      id: each.id,
      current: each.id === session.id,
      method: each.method,
      address: each.address,
      user_agent: each.user_agent,
      created_at: isoTime(each.created_at),
      last_seen_at: isoTime(each.last_seen_at),
      expires_at: isoTime(each.expires_at),
    }));
    return { status: 200, body: { data } };
  },
});
