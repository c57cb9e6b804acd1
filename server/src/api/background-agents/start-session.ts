import type { WriteInput } from "#api/kit/operation";
import { type NewSession, queueSession } from "#records/agents";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";

type Starting = Pick<WriteInput<unknown, unknown, unknown, unknown>, "tx" | "context" | "actor" | "afterCommit">;

/** `agent` is locked. */
export async function startSession(
  { tx, context, actor, afterCommit }: Starting,
  agent: AgentRow,
  session: Pick<NewSession, "input" | "metadata" | "parentId">,
): Promise<AgentSessionRow> {
  const { newId, clock } = context;
  const row = await queueSession(tx, agent, {
    ...{ ...session, newId, now: clock.now(), cause: "api", requestedBy: actor },
  });
  afterCommit(() => context.agents.wake());
  return row;
}
