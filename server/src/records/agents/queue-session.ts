import { invalid, Refusal } from "#lib/errors";
import type { NewId } from "#lib/ids";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import type { MainTransaction } from "#storage/database";
import type { Vault } from "#storage/vault";
import { type SessionInput, sealSessionInput } from "./secrets.ts";
import { countSessions, findSession, insertSession, isOpen } from "./sessions.ts";

const MAX_QUEUED = 100;

export interface NewSession {
  readonly newId: NewId;
  readonly now: number;
  readonly cause: AgentSessionRow["cause"];
  readonly vault: Vault;
  readonly input: SessionInput;
  readonly metadata?: Record<string, unknown> | undefined;
  readonly parentId?: string | undefined;
  /** Who or what starts it. */
  readonly requestedBy: { readonly id: string; readonly name: string };
}

/** `agent` is locked, so that two requests do not exceed the limit together. */
export async function queueSession(
  tx: MainTransaction,
  agent: AgentRow,
  { newId, vault, now, cause, input, metadata = {}, parentId, requestedBy }: NewSession,
): Promise<AgentSessionRow> {
  if (agent.status !== "active") throw new Refusal("conflict", "agent is not active");
  if (parentId !== undefined) {
    const parent = await findSession(tx, agent.id, parentId);
    if (!parent) throw invalid("parent_session_id", "session not found");
    if (isOpen(parent.status)) throw new Refusal("conflict", "the session has not ended");
  }
  if ((await countSessions(tx, agent.id, ["queued"])) >= MAX_QUEUED)
    throw new Refusal("limit", `too many queued sessions (${MAX_QUEUED})`);
  const id = newId("ses");
  const row: AgentSessionRow = {
    ...{ id, agent_id: agent.id, agent_version: agent.version, platform: agent.platform },
    ...{
      cause,
      status: "queued",
      input: input.shown,
      sealed_input: sealSessionInput(vault, id, input),
      output: null,
      error_code: null,
      error_message: null,
    },
    ...{ steps: 0, tool_calls: 0, input_tokens: 0, output_tokens: 0, platform_session_id: null },
    ...{ parent_id: parentId ?? null, metadata, requested_by: requestedBy.name, requested_by_id: requestedBy.id },
    ...{ cancel_requested: false, approval_id: null, claimed_by: null, claimed_until: null },
    ...{ created_at: now, started_at: null, ended_at: null },
  };
  await insertSession(tx, row);
  return row;
}
