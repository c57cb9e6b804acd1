import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { targetParameter, textParameter } from "#api/kit/parameters";
import { endEverywhere } from "#identity/end-everywhere";
import { notFound } from "#lib/errors";
import { lockUser, mayManage } from "#records/users";
import { deleteWebSession } from "#records/web-sessions";

export const endUserSessions = write({
  id: "endUserSessions",
  route: "DELETE /api/users/sessions",
  tag: "Users",
  summary: "Sign a person out, in one browser or everywhere",
  description:
    "Signing out everywhere also disconnects MCP clients. The person can sign in again. To block a person, disable them.",
  scope: "admin:write",
  query: {
    email: targetParameter("The person's email, case-insensitive", "ada@example.com"),
    id: textParameter("The ID of one web session to end. Omitted: all web sessions and MCP clients"),
  },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to end sessions",
  async run({ tx, trail, query, requireScope }) {
    const user = await lockUser(tx, query.email);
    if (!user) throw notFound.user(query.email);
    if (mayManage(user.role)) requireScope("all");
    if (query.id === undefined) await endEverywhere({ tx, trail }, user.id);
    else if (!(await deleteWebSession({ tx, trail }, user.id, query.id))) throw notFound.webSession();
    const target = { kind: "user", id: user.id, name: user.email };
    trail.audit({ operation: "endUserSessions", target, before: { web_session_id: query.id ?? "all" } });
    return { status: 200, body: { message: "Signed out successfully" } };
  },
});
