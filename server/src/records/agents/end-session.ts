import { endTokensOfGrant } from "#records/credentials";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import type { MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import type { EndedStatus, SessionProgress } from "./claims.ts";

/** How a session ends. */
export interface SessionEnd extends Omit<SessionProgress, "status" | "ended_at" | "approval_id"> {
  readonly status: EndedStatus;
}

interface Ending {
  readonly at: number;
  /** The process that must still hold the session. Undefined: any open session. */
  readonly holder?: string | undefined;
  /** Only if its claim expired before this time. */
  readonly claimedBefore?: number | undefined;
}

/**
 * Ends an open session in one transaction with its token, the event for webhooks, and the notification of the agent.
 * False if it has ended already, or another process holds it.
 */
export async function endSession(
  tx: MainTransaction,
  trail: WriteTrail,
  agent: Pick<AgentRow, "id" | "slug" | "name">,
  session: Pick<AgentSessionRow, "id" | "cause">,
  end: SessionEnd,
  { at, holder, claimedBefore }: Ending,
): Promise<boolean> {
  let query = tx
    .updateTable("agent_sessions")
    .set({ ...end, sealed_input: null, approval_id: null, claimed_by: null, claimed_until: null, ended_at: at })
    .where("id", "=", session.id)
    .where("ended_at", "is", null);
  if (holder !== undefined) query = query.where("claimed_by", "=", holder);
  if (claimedBefore !== undefined) query = query.where("claimed_until", "<", claimedBefore);
  const ended = await query.returning("id").executeTakeFirst();
  if (!ended) return false;
  await endTokensOfGrant(tx, trail, session.id);
  emitFinished(trail, agent, session, end);
  return true;
}

function emitFinished(
  trail: WriteTrail,
  { id, slug, name }: Pick<AgentRow, "id" | "slug" | "name">,
  session: Pick<AgentSessionRow, "id" | "cause">,
  end: SessionEnd,
): void {
  const error = end.error_code ? { code: end.error_code, message: end.error_message ?? "" } : null;
  const { status, output = null } = end;
  trail.emit(
    "agent.finished",
    {
      ...{ title: `Agent ${name}: ${status.replace("_", " ")}`, message: error?.message ?? output ?? "" },
      path: `/agents/${slug}/sessions/${session.id}`,
      agent: { slug, name },
      session: { id: session.id, trigger: session.cause, status, output, error },
    },
    { agentId: id, isForAgentOnly: status === "canceled" },
  );
}
