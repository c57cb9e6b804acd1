import type { WriteInput } from "#api/kit/operation";
import { invalid, Refusal } from "#lib/errors";
import { countSessions, findSession, insertSession, isOpen } from "#records/agents";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";

const MAX_QUEUED = 100;

interface NewSession {
  readonly input: string;
  readonly metadata?: Record<string, unknown> | undefined;
  readonly parentId?: string | undefined;
}

type Starting = Pick<WriteInput<unknown, unknown, unknown, unknown>, "tx" | "context" | "actor" | "afterCommit">;

/** `agent` is locked, so that two requests do not exceed the limit together. */
export async function startSession(
  { tx, context, actor, afterCommit }: Starting,
  agent: AgentRow,
  { input, metadata = {}, parentId }: NewSession,
): Promise<AgentSessionRow> {
  if (agent.status !== "active") throw new Refusal("conflict", "agent is not active");
  if (parentId !== undefined) {
    const parent = await findSession(tx, agent.id, parentId);
    if (!parent) throw invalid("parent_session_id", "session not found");
    if (isOpen(parent.status)) throw new Refusal("conflict", "the session has not ended");
  }
  if ((await countSessions(tx, agent.id, ["queued"])) >= MAX_QUEUED)
    throw new Refusal("limit", `too many queued sessions (${MAX_QUEUED})`);
  const row: AgentSessionRow = {
    ...{ id: context.newId("ses"), agent_id: agent.id, agent_version: agent.version, platform: agent.platform },
    ...{ cause: "api", status: "queued", input, output: null, error_code: null, error_message: null },
    ...{ steps: 0, tool_calls: 0, input_tokens: 0, output_tokens: 0, parent_id: parentId ?? null, metadata },
    ...{
      requested_by: actor.name,
      requested_by_id: actor.id,
      cancel_requested: false,
      claimed_by: null,
      claimed_until: null,
    },
    ...{ created_at: context.clock.now(), started_at: null, ended_at: null },
  };
  await insertSession(tx, row);
  afterCommit(() => context.agents.wake());
  return row;
}
