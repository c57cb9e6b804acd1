import { z } from "zod";
import { read } from "#api/kit/operation";
import { lastSegmentParameter, pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findAgent, findSession } from "#records/agents";
import { presentSession } from "./present.ts";
import { Session } from "./schema.ts";
import { readableSessionsOf } from "./session-access.ts";

/** Families 7. */
export const getAgentSession = read({
  id: "getAgentSession",
  route: "GET /api/background-agents/{slug}/sessions/{id}",
  tag: "Background Agents",
  summary: "Get a session",
  description: "Requires `admin:read`, or `agents:invoke` for a session that the caller started.",
  scope: "any",
  path: {
    slug: pathParameter("The agent's slug", "triage"),
    id: lastSegmentParameter("The session's ID", "ses_01kc5v6q3zt9x4m2e8h7d5n1pw"),
  },
  answers: { 200: z.object({ data: Session }) },
  refusals: [404],
  onCrash: "Failed to retrieve session",
  async run(input) {
    const requestedBy = readableSessionsOf(input);
    const { db, path } = input;
    const agent = await findAgent(db, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const row = await findSession(db, agent.id, path.id);
    if (!row || (requestedBy ?? row.requested_by_id) !== row.requested_by_id) throw notFound.agentSession();
    return { status: 200, body: { data: presentSession(agent.slug, row) } };
  },
});
