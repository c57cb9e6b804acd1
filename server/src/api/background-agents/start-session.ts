import type { ApiContext } from "#api/kit/api-context";
import type { WriteInput } from "#api/kit/operation";
import { type NewSession, queueSession, type SessionInput } from "#records/agents";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";

type Starting = Pick<WriteInput<unknown, unknown, unknown, unknown>, "tx" | "context" | "actor" | "afterCommit">;

/** `agent` is locked. */
export async function startSession(
  { tx, context, actor, afterCommit }: Starting,
  agent: AgentRow,
  session: Pick<NewSession, "input" | "metadata" | "parentId">,
): Promise<AgentSessionRow> {
  const { newId, vault, clock } = context;
  const row = await queueSession(tx, agent, {
    ...{ ...session, newId, vault, now: clock.now(), cause: "api", requestedBy: actor },
  });
  afterCommit(() => context.agents.wake());
  return row;
}

/** Guards can use the network, so they run before the transaction. */
export async function guardInput({ agents }: ApiContext, agent: AgentRow, given: string): Promise<SessionInput> {
  return { given, shown: (await agents.stepGuards.guardText(agent, given)).text };
}
