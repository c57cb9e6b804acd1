import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { textParameter } from "#api/kit/parameters";
import { personOf } from "#api/kit/web-session";
import { endEverywhere } from "#identity/end-everywhere";
import { notFound } from "#lib/errors";
import { deleteWebSession } from "#records/web-sessions";

/** Returns 404 for sessions of other users, as for unknown ones (AZ-3). */
export const endMySessions = write({
  id: "endMySessions",
  route: "DELETE /api/me/sessions",
  tag: "Me",
  summary: "Sign the caller out, in one browser or everywhere",
  scope: "any",
  callers: "people",
  query: {
    id: textParameter(
      "The ID of one web session to end. Omitted: all web sessions, including the current one, and all MCP clients",
    ),
  },
  answers: { 200: Message },
  refusals: [400, 404],
  onCrash: "Failed to end sessions",
  async run({ tx, trail, query, visitor }) {
    const { user } = personOf(visitor);
    if (query.id === undefined) await endEverywhere({ tx, trail }, user.id);
    else if (!(await deleteWebSession({ tx, trail }, user.id, query.id))) throw notFound.webSession();
    const target = { kind: "user", id: user.id, name: user.email };
    trail.audit({ operation: "endMySessions", target, before: { web_session_id: query.id ?? "all" } });
    return { status: 200, body: { message: "Signed out successfully" } };
  },
});
