import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, Refusal } from "#lib/errors";
import { endSession, findAgent, findSession, isOpen, lockSession, setCancelRequested } from "#records/agents";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import { presentSession } from "./present.ts";
import { Session } from "./schema.ts";

/** Families 7. */
export const cancelAgentSession = write({
  id: "cancelAgentSession",
  route: "POST /api/background-agents/{slug}/sessions/{id}/cancel",
  tag: "Background Agents",
  summary: "Cancel a session",
  description:
    "A queued session ends immediately, a running one within seconds. Calls that were sent may still have effects.",
  scope: "admin:write",
  path: {
    slug: pathParameter("The agent's slug", "triage"),
    id: pathParameter("The session's ID", "ses_01kc5v6q3zt9x4m2e8h7d5n1pw"),
  },
  answers: { 200: z.object({ data: Session }) },
  refusals: [404, 409],
  onCrash: "Failed to cancel session",
  async run({ tx, trail, path, context, afterCommit }) {
    const agent = await findAgent(tx, path.slug);
    if (!agent) throw notFound.backgroundAgent();
    const row = await lockSession(tx, agent.id, path.id);
    if (!row) throw notFound.agentSession();
    if (!isOpen(row.status)) throw new Refusal("conflict", "the session has ended");
    // No process runs a queued session or one of another platform, so this write ends it.
    if (row.status === "queued" || row.platform !== "builtin")
      await endSession(tx, trail, agent, row, { status: "canceled" }, { at: context.clock.now() });
    await setCancelRequested(tx, row.id);
    const canceled = (await findSession(tx, agent.id, row.id)) ?? row;
    const { status, cancel_requested } = canceled;
    const target = { kind: "agent", id: agent.id, name: agent.slug };
    const after = { session: row.id, status, cancel_requested };
    trail.audit({ operation: "cancelAgentSession", target, before: { session: row.id, status: row.status }, after });
    afterCommit(() => {
      context.agents.wake();
      cancelOnPlatform(context, agent, row);
    });
    return { status: 200, body: { data: presentSession(agent.slug, canceled) } };
  },
});

/** The session has ended here, and its token with it. The platform is notified, but may ignore it. */
export function cancelOnPlatform({ agents, logger }: ApiContext, agent: AgentRow, session: AgentSessionRow): void {
  if (session.platform === "builtin" || session.status === "queued") return;
  agents.platforms[session.platform]
    .cancel(agent, session, agents.stopped)
    .catch((error: unknown) => logger.warn({ err: error, session: session.id }, "a platform did not cancel a session"));
}
