import { z } from "zod";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findAgent, findSession, lockAgent } from "#records/agents";
import { AgentMessageBody } from "./bodies.ts";
import { presentSession } from "./present.ts";
import { Session } from "./schema.ts";
import { canRead } from "./session-access.ts";
import { guardInput, startSession } from "./start-session.ts";

/** Families 7. */
export const sendAgentMessage = write({
  id: "sendAgentMessage",
  route: "POST /api/background-agents/{slug}/sessions/{id}/messages",
  tag: "Background Agents",
  summary: "Follow up a session",
  description: "Starts a new session that knows the inputs and outputs of the session and of those before it.",
  scope: "agents:invoke",
  path: {
    slug: pathParameter("The agent's slug", "triage"),
    id: pathParameter("The session's ID", "ses_01kc5v6q3zt9x4m2e8h7d5n1pw"),
  },
  body: AgentMessageBody,
  answers: { 202: z.object({ data: Session }) },
  refusals: [400, 404, 409, 429],
  onCrash: "Failed to follow up session",
  async prepare({ db, path, body, context }) {
    const agent = await findAgent(db, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    return { input: await guardInput(context, agent, body.input) };
  },
  async run(input) {
    const { tx, trail, path, prepared } = input;
    const agent = await lockAgent(tx, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const parent = await findSession(tx, agent.id, path.id);
    if (!parent || !canRead(input, parent)) throw notFound.agentSession();
    const row = await startSession(input, agent, { input: prepared.input, parentId: parent.id });
    const target = { kind: "agent", id: agent.id, name: agent.slug };
    trail.audit({ operation: "sendAgentMessage", target, after: { session: row.id } });
    return { status: 202, body: { data: presentSession(agent.slug, row) } };
  },
});
