import { Message } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { flagParameter, targetParameter } from "#api/kit/parameters";
import { notFound, Refusal } from "#lib/errors";
import { countSessions, deleteAgent, findSession, lockAgent, openSessionIds } from "#records/agents";
import { endTokensOfGrant } from "#records/credentials";
import type { AgentSessionRow } from "#storage/agent-tables";
import { cancelOnPlatform } from "./cancel-agent-session.ts";
import { presentAgent } from "./present.ts";

/** Families 7. */
export const deleteBackgroundAgent = write({
  id: "deleteBackgroundAgent",
  route: "DELETE /api/background-agents",
  tag: "Background Agents",
  summary: "Delete an agent",
  description: "Also deletes its sessions. Its machine user stays.",
  scope: "admin:write",
  query: {
    slug: targetParameter("The agent's slug", "triage"),
    force: flagParameter("Cancels sessions that run. Without it, they are a conflict"),
  },
  answers: { 200: Message },
  refusals: [400, 404, 409],
  onCrash: "Failed to delete background agent",
  async run({ tx, trail, query, context, afterCommit }) {
    const row = await lockAgent(tx, query.slug);
    if (!row) throw notFound.backgroundAgent();
    const running = await countSessions(tx, row.id, ["running", "waiting_approval"]);
    if (running > 0 && !query.force) throw new Refusal("conflict", "the agent has running sessions");
    const before = await presentAgent(tx, row, context);
    const open: AgentSessionRow[] = [];
    for (const id of await openSessionIds(tx, row.id)) {
      const session = await findSession(tx, row.id, id);
      if (session) open.push(session);
      await endTokensOfGrant(tx, trail, id);
    }
    await deleteAgent(tx, row.id);
    const target = { kind: "agent", id: row.id, name: row.slug };
    trail.audit({ operation: "deleteBackgroundAgent", target, before });
    afterCommit(() => {
      context.agents.wake();
      for (const session of open) cancelOnPlatform(context, row, session);
    });
    return { status: 200, body: { message: "Background agent deleted successfully" } };
  },
});
