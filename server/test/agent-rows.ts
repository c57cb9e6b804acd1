import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import type { MainDb } from "#storage/database";

/** An agent without triggers on the built-in platform. */
const NO_TRIGGERS = {
  ...{ schedule: null, next_run_at: null, skipped_at: null, hook_enabled: false, sealed_hook: null, notify_url: null },
  ...{ platform_config: null, sealed_platform: null, sync: null },
};

/** An agent whose ID is `agt_` and its slug. */
export function newAgent(id: string, status: AgentRow["status"]): AgentRow {
  const limits = { max_steps: 1, max_output_tokens: 1, max_total_tokens: 1, timeout_seconds: 10, max_concurrent: 1 };
  const provider = { type: "scripted", base_url: null, has_api_key: false, header_names: [], script: [] } as const;
  const slug = id.slice("agt_".length);
  return {
    ...{ id, slug, name: slug, search_text: slug, description: "", status, platform: "builtin" },
    ...{ instructions: "Help", model: "m", provider, sealed_provider: null, toolkit: null, skills: [] },
    ...{ identity_id: null, owner_emails: [], limits, version: 1, ...NO_TRIGGERS, created_at: 1, updated_at: 1 },
  };
}

/** A session that has not started, or has ended. The ID of its agent is `agt_` and the slug. */
export function newSession(id: string, slug: string, status: AgentSessionRow["status"]): AgentSessionRow {
  return {
    ...{ id, agent_id: `agt_${slug}`, agent_version: 1, platform: "builtin", cause: "api", status, input: "x" },
    ...{ sealed_input: null, output: null, error_code: null, error_message: null, steps: 0, tool_calls: 0 },
    ...{ input_tokens: 0, output_tokens: 0, platform_session_id: null, parent_id: null, metadata: {} },
    ...{ requested_by: "test", requested_by_id: "test", cancel_requested: false, approval_id: null },
    ...{ claimed_by: null, claimed_until: null, created_at: 1, started_at: null },
    ended_at: status === "queued" ? null : 2,
  };
}

/** An active agent `ready` with an ended session, and a paused agent `paused` with a queued one. */
export async function insertAgentRows(db: MainDb, ended: string, queued: string): Promise<void> {
  await db
    .insertInto("agents")
    .values([newAgent("agt_ready", "active"), newAgent("agt_paused", "paused")])
    .execute();
  const rows = [newSession(ended, "ready", "completed"), newSession(queued, "paused", "queued")];
  await db.insertInto("agent_sessions").values(rows).execute();
}
