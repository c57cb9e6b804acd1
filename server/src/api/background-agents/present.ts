import type { z } from "zod";
import { resolveProvider } from "#agents/model/resolve-provider";
import { isoTime } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import { lastSessions, openHookSecrets, openPlatformSecrets } from "#records/agents";
import { findUserById } from "#records/users";
import type { AgentRow, AgentSessionRow, AgentStepRow, AgentSync } from "#storage/agent-tables";
import type { MainDb } from "#storage/database";
import type { Agent, Session, Step, Sync } from "./schema.ts";

type Presenting = Pick<ApiContext, "baseUrl" | "vault" | "agents">;

export async function presentAgents(
  db: MainDb,
  rows: readonly AgentRow[],
  context: Presenting,
): Promise<z.input<typeof Agent>[]> {
  const sessions = await lastSessions(
    db,
    rows.map(({ id }) => id),
  );
  return Promise.all(
    rows.map(async (row) => {
      const identity = row.identity_id === null ? undefined : await findUserById(db, row.identity_id);
      return presented(row, { identity: identity?.email, session: sessions.get(row.id), context });
    }),
  );
}

export async function presentAgent(db: MainDb, row: AgentRow, context: Presenting): Promise<z.input<typeof Agent>> {
  const [agent] = await presentAgents(db, [row], context);
  if (!agent) throw new Error("an agent was not presented");
  return agent;
}

function presented(
  row: AgentRow,
  {
    identity,
    session,
    context,
  }: {
    readonly identity: string | undefined;
    readonly session: AgentSessionRow | undefined;
    readonly context: Presenting;
  },
): z.input<typeof Agent> {
  return {
    ...{ id: row.id, slug: row.slug, name: row.name, description: row.description, status: row.status },
    ...{ platform: row.platform, instructions: row.instructions, model: row.model || null },
    platform_config: presentPlatform(row, context),
    sync: presentSync(row.sync),
    provider: presentProvider(row.provider),
    resolved_provider: resolveProvider(row, context.agents.defaultProvider) ?? null,
    ...{ toolkit: row.toolkit, skills: row.skills, identity: identity ?? null, owner_emails: row.owner_emails },
    triggers: presentTriggers(row, context),
    notify_url: row.notify_url,
    ...{ limits: { ...row.limits }, version: row.version },
    last_session: session ? presentSession(row.slug, session) : null,
    ...{ created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
  };
}

function presentProvider(stored: AgentRow["provider"]): z.input<typeof Agent>["provider"] {
  const { type, base_url, has_api_key, header_names, script } = stored;
  if (type === "default") return null;
  const headers = Object.fromEntries(header_names.map((name) => [name, null]));
  return { type, base_url, has_api_key, headers, script: [...script] };
}

function presentPlatform(row: AgentRow, { vault }: Presenting): z.input<typeof Agent>["platform_config"] {
  if (row.platform_config === null) return null;
  const { url, environment_id, vault_ids } = row.platform_config;
  const { apiKey, secret } = openPlatformSecrets(vault, row);
  return {
    ...{ url: row.platform === "webhook" ? url : null, base_url: row.platform === "anthropic" ? url : null },
    ...{ environment_id, vault_ids: [...vault_ids] },
    ...{ has_api_key: apiKey !== undefined, has_secret: secret !== undefined },
  };
}

export function presentSync(sync: AgentSync | null): z.input<typeof Sync> {
  if (sync === null)
    return { status: "never", platform_agent_id: null, platform_version: null, last_synced_at: null, error: null };
  return { ...sync, last_synced_at: isoTime(sync.last_synced_at) };
}

function presentTriggers(row: AgentRow, { baseUrl, vault }: Presenting): z.input<typeof Agent>["triggers"] {
  const { schedule, next_run_at: nextAt, skipped_at: skippedAt } = row;
  return {
    schedule: schedule && { ...schedule, next_run_at: isoOrNull(nextAt), skipped_at: isoOrNull(skippedAt) },
    webhook: {
      ...{
        enabled: row.hook_enabled,
        url: `${baseUrl}/hooks/agents/${row.slug}`,
        has_secret: row.sealed_hook !== null,
      },
      previous_secret_expires_at: isoOrNull(openHookSecrets(vault, row)?.previousExpiresAt ?? null),
    },
  };
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}

export function presentSession(slug: string, row: AgentSessionRow): z.input<typeof Session> {
  const { steps, tool_calls, input_tokens, output_tokens } = row;
  return {
    ...{ id: row.id, agent_slug: slug, agent_version: row.agent_version, platform: row.platform, trigger: row.cause },
    platform_session_id: row.platform_session_id,
    ...{ status: row.status, input: row.input, output: row.output },
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? "" },
    usage: { steps, tool_calls, input_tokens, output_tokens },
    approval_id: row.approval_id,
    ...{ parent_session_id: row.parent_id, metadata: row.metadata, requested_by: row.requested_by },
    created_at: isoTime(row.created_at),
    started_at: row.started_at === null ? null : isoTime(row.started_at),
    ended_at: row.ended_at === null ? null : isoTime(row.ended_at),
  };
}

/** As `stepRow` writes it. */
interface StepData {
  readonly role: "assistant" | "tool" | "system";
  readonly text?: string;
  readonly toolName?: string;
  readonly arguments?: string;
  readonly isError?: boolean;
  readonly guard?: string;
  readonly guardAction?: "warn" | "redact" | "require_approval" | "block";
  readonly approvalId?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly isTruncated?: boolean;
}

export function presentStep(row: AgentStepRow): z.input<typeof Step> {
  const data: StepData = JSON.parse(row.data);
  const hasTokens = data.inputTokens !== undefined;
  return {
    ...{ index: row.position, type: row.type, role: data.role, text: data.text ?? null },
    ...{ tool_name: data.toolName ?? null, arguments: data.arguments ?? null, is_error: data.isError ?? false },
    ...{ guard: data.guard ?? null, guard_action: data.guardAction ?? null, approval_id: data.approvalId ?? null },
    tokens: hasTokens ? { input: data.inputTokens ?? 0, output: data.outputTokens ?? 0 } : null,
    ...{ truncated: data.isTruncated ?? false },
    ...{ started_at: isoTime(row.started_at), duration_ms: row.duration_ms },
  };
}
