import { z } from "zod";
import { CursorPagination, pageOf } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { limitParameter, offsetParameter, pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findAgent, findSession, listSteps } from "#records/agents";
import { presentStep } from "./present.ts";
import { Step } from "./schema.ts";
import { readableSessionsOf } from "./session-access.ts";

/** Families 7. */
export const listAgentSteps = read({
  id: "listAgentSteps",
  route: "GET /api/background-agents/{slug}/sessions/{id}/steps",
  tag: "Background Agents",
  summary: "List what happened in a session",
  description:
    "In the order in which it happened. While the session runs, read again from the last `index`. Requires `admin:read`, or `agents:invoke` for a session that the caller started.",
  scope: "any",
  path: {
    slug: pathParameter("The agent's slug", "triage"),
    id: pathParameter("The session's ID", "ses_01kc5v6q3zt9x4m2e8h7d5n1pw"),
  },
  query: { cursor: offsetParameter("Zero-based offset of the first entry"), limit: limitParameter },
  answers: { 200: z.object({ data: z.array(Step), pagination: CursorPagination }) },
  refusals: [400, 404],
  onCrash: "Failed to retrieve steps",
  async run(input) {
    const requestedBy = readableSessionsOf(input);
    const { db, path, query } = input;
    const { cursor, limit } = query;
    const agent = await findAgent(db, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const session = await findSession(db, agent.id, path.id);
    if (!session || (requestedBy ?? session.requested_by_id) !== session.requested_by_id) throw notFound.agentSession();
    const { page, hasMore } = pageOf(await listSteps(db, session.id, { offset: cursor, limit: limit + 1 }), limit);
    const pagination = { cursor, limit, hasMore, nextCursor: hasMore ? cursor + limit : null };
    return { status: 200, body: { data: page.map(presentStep), pagination } };
  },
});
