import { z } from "zod";
import { TimePagination } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { choiceParameter, limitParameter, pathParameter, textParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findAgent, listSessions } from "#records/agents";
import { presentSession } from "./present.ts";
import { SESSION_STATUSES, Session, TRIGGERS } from "./schema.ts";
import { readableSessionsOf } from "./session-access.ts";

/** Families 7. */
export const listAgentSessions = read({
  id: "listAgentSessions",
  route: "GET /api/background-agents/{slug}/sessions",
  tag: "Background Agents",
  summary: "List the sessions of an agent, newest first",
  description:
    "Sessions are kept for 90 days after they ended. Requires `admin:read`, or `agents:invoke` for sessions that the caller started.",
  scope: "any",
  path: { slug: pathParameter("The agent's slug", "triage") },
  query: {
    status: choiceParameter("Only sessions with this status", SESSION_STATUSES),
    trigger: choiceParameter("Only sessions that this started", TRIGGERS),
    cursor: textParameter("The `nextCursor` of the previous page"),
    limit: limitParameter,
  },
  answers: { 200: z.object({ data: z.array(Session), pagination: TimePagination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve sessions",
  async run(input) {
    const requestedBy = readableSessionsOf(input);
    const { db, path, query } = input;
    const { status, trigger, cursor, limit } = query;
    const agent = await findAgent(db, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const filter = { agentId: agent.id, status, cause: trigger, requestedBy };
    const { rows, nextCursor } = await listSessions(db, filter, { limit, cursor });
    const pagination = { limit, hasMore: nextCursor !== undefined, nextCursor: nextCursor ?? null };
    return { status: 200, body: { data: rows.map((row) => presentSession(agent.slug, row)), pagination } };
  },
});
