/** Agents with sessions, for the app's tests and screenshots. */
import assert from "node:assert/strict";
import type { AgentSessionRow, AgentStepRow } from "#storage/agent-tables";
import type { MainDb } from "#storage/database";
import type { Service } from "./start-service.ts";

const MINUTE_MS = 60_000;

export async function seedAgents(service: Service, db: MainDb, now: number): Promise<void> {
  const triage = {
    ...{
      name: "Issue triage",
      description: "Labels new issues and assigns them to a team",
      model: "claude-sonnet-4-5",
    },
    instructions: "Read new issues, label them, and assign them to the team that owns the component.",
    provider: { type: "anthropic", api_key: "not-a-key" },
    ...{ toolkit: "issue-triage", skills: ["release-notes"], status: "active" },
    // A rare time, so that it does not start a session during a test.
    triggers: {
      schedule: { cron: "0 9 1 1 *", timezone: "Europe/Berlin", input: "Triage the issues of last year" },
      webhook: { enabled: true },
    },
  };
  const script = { type: "scripted", script: [{ text: "Nothing to do." }] };
  const digest = { name: "Weekly digest", instructions: "Summarize the week.", model: "scripted", provider: script };
  const created = await service.api("POST", "/api/background-agents", triage);
  assert.equal(created.status, 201, created.text);
  const draft = await service.api("POST", "/api/background-agents", digest);
  assert.equal(draft.status, 201, draft.text);
  const releases = {
    ...{ name: "Release bot", instructions: "Write the release notes.", model: "claude-sonnet-4-5" },
    platform: "anthropic",
    platform_config: { api_key: "not-a-key", environment_id: "env_01seed", vault_ids: ["vlt_01seed"] },
  };
  const managed = await service.api("POST", "/api/background-agents", releases);
  assert.equal(managed.status, 201, managed.text);
  const { id: agentId } = created.body.data;
  const session = (id: string, minutes: number, changes: Partial<AgentSessionRow>): AgentSessionRow => ({
    ...{ id, agent_id: agentId, agent_version: 1, platform: "builtin", cause: "api", status: "completed" },
    ...{ input: "Triage the issues of today", output: "3 issues are labeled and assigned.", error_code: null },
    ...{
      error_message: null,
      steps: 2,
      tool_calls: 1,
      input_tokens: 4_210,
      output_tokens: 260,
      platform_session_id: null,
      sealed_input: null,
      parent_id: null,
    },
    ...{
      metadata: {},
      requested_by: "olivia@acme.example",
      requested_by_id: "usr_seed",
      cancel_requested: false,
      approval_id: null,
    },
    ...{ claimed_by: null, claimed_until: null, created_at: now - minutes * MINUTE_MS },
    ...{ started_at: now - minutes * MINUTE_MS + 400, ended_at: now - minutes * MINUTE_MS + 9_000 },
    ...changes,
  });
  const failed = { status: "failed", output: null, error_code: "provider_error" } as const;
  const message = "The provider failed (401): invalid x-api-key";
  const rows = [
    session("ses_seed1", 90, { ...failed, error_message: message, steps: 1, tool_calls: 0, output_tokens: 0 }),
    session("ses_seed2", 12, {}),
  ];
  await db.insertInto("agent_sessions").values(rows).execute();
  await db.insertInto("agent_steps").values(stepsOf("ses_seed2", now)).execute();
}

function stepsOf(id: string, now: number): AgentStepRow[] {
  const tool = "github__file_issue";
  const steps: [AgentStepRow["type"], object, number][] = [
    [
      "model",
      { role: "assistant", text: "I look at the open issues first.", inputTokens: 1_204, outputTokens: 88 },
      840,
    ],
    ["tool_call", { role: "assistant", toolName: tool, arguments: '{"title":"Login fails","labels":["auth"]}' }, 0],
    ["tool_result", { role: "tool", toolName: tool, text: "Created issue 4711", isError: false }, 312],
    ["tool_call", { role: "assistant", toolName: tool, guard: "payment-cards", guardAction: "block" }, 0],
    [
      "tool_result",
      {
        role: "tool",
        toolName: tool,
        text: "Blocked: remove the payment card",
        isError: true,
        guard: "payment-cards",
        guardAction: "block",
      },
      9,
    ],
    [
      "model",
      { role: "assistant", text: "3 issues are labeled and assigned.", inputTokens: 3_006, outputTokens: 172 },
      910,
    ],
  ];
  return steps.map(([type, data, duration_ms], position) => ({
    ...{ session_id: id, position, type, data: JSON.stringify(data), started_at: now - MINUTE_MS, duration_ms },
  }));
}
