/** Triggers and notifications of an agent, with the secrets that they need. */
import type { z } from "zod";
import type { WriteInput } from "#api/kit/operation";
import { EgressRefused } from "#egress/egress";
import { nextRunAfter } from "#lib/cron";
import { invalid } from "#lib/errors";
import { newAgentHookSecret } from "#lib/tokens";
import { nextRunAt, openHookSecrets, sealHookSecrets } from "#records/agents";
import { newWebhookSecret, replaceAgentWebhook, sealWebhookSecret } from "#records/webhooks";
import type { AgentRow, AgentSchedule } from "#storage/agent-tables";
import type { UpdateAgentBody } from "./bodies.ts";

type Given = z.output<typeof UpdateAgentBody>;
type Saving = Pick<WriteInput<unknown, unknown, unknown, unknown>, "tx" | "context" | "actor">;
type Triggers = Pick<AgentRow, "schedule" | "next_run_at" | "skipped_at" | "hook_enabled" | "sealed_hook">;

interface SavedTriggers {
  readonly triggers: Triggers;
  /** Generated now, and shown once. */
  readonly secret?: string;
}

/** `before` is the agent with all other changes. Omitted triggers stay. */
export function triggersOf(
  { context }: Pick<Saving, "context">,
  before: AgentRow,
  wasStatus: AgentRow["status"] | undefined,
  given: Given["triggers"],
): SavedTriggers {
  const now = context.clock.now();
  const schedule = given?.schedule === undefined ? before.schedule : scheduleOf(given.schedule, now);
  const isChanged = given?.schedule !== undefined || before.status !== wasStatus;
  const planned = isChanged ? nextRunAt({ ...before, schedule }, now) : before.next_run_at;
  const times = { schedule, next_run_at: planned, skipped_at: schedule === null ? null : before.skipped_at };
  const hook = given?.webhook;
  if (hook === undefined)
    return { triggers: { ...times, hook_enabled: before.hook_enabled, sealed_hook: before.sealed_hook } };
  if (hook === null) return { triggers: { ...times, hook_enabled: false, sealed_hook: null } };
  const needsNew = hook.secret === undefined && before.sealed_hook === null && hook.enabled;
  const secret = needsNew ? newAgentHookSecret(context.random) : hook.secret;
  // The same secret again does not end the overlap of a rotation.
  const isSame = secret === undefined || secret === openHookSecrets(context.vault, before)?.current;
  const sealed_hook = isSame ? before.sealed_hook : sealHookSecrets(context.vault, before.id, { current: secret });
  const triggers = { ...times, hook_enabled: hook.enabled, sealed_hook };
  return { triggers, ...(needsNew && secret !== undefined && { secret }) };
}

/**
 * A schedule is sent with every run, so it is stored as it is (decision 0179). Guards can use the network, so this runs
 * before the transaction.
 */
export async function requireStorable(
  { agents }: Pick<Saving["context"], "agents">,
  identityId: string | null,
  triggers: Given["triggers"],
): Promise<void> {
  const { input } = triggers?.schedule ?? {};
  if (input === undefined) return;
  const { text, guard } = await agents.stepGuards.guardText({ identity_id: identityId }, input);
  if (text !== input)
    throw invalid(
      "triggers.schedule.input",
      `has a text that the guard ${guard} removes, but schedules are stored unchanged. Remove that text`,
    );
}

type GivenSchedule = NonNullable<NonNullable<Given["triggers"]>["schedule"]>;

function scheduleOf(given: GivenSchedule | null, now: number): AgentSchedule | null {
  if (given === null) return null;
  const { cron, timezone = "UTC", input, enabled = true } = given;
  const schedule = { cron: cron.trim(), timezone, input, enabled };
  if (nextRunAfter(schedule, now) === undefined)
    throw invalid("triggers.schedule.cron", "must be a valid cron expression: it matches no date");
  return schedule;
}

/**
 * Keeps the webhook that gets an agent's results. It is one like others, with signatures and retries, but hidden. Returns
 * the secret of a new one.
 */
export async function saveNotifyUrl(
  { tx, context, actor }: Saving,
  agent: Pick<AgentRow, "id" | "slug">,
  before: string | null,
  url: string | null,
): Promise<string | undefined> {
  if (url === before) return undefined;
  if (url === null) {
    await replaceAgentWebhook(tx, agent.id, undefined);
    return undefined;
  }
  requireReachableUrl(context, url);
  const secret = newWebhookSecret(context.random);
  const id = context.newId("whk");
  const now = context.clock.now();
  await replaceAgentWebhook(tx, agent.id, {
    ...{ id, name: `Agent ${agent.slug}`, name_key: `agent:${agent.id}`, url, events: [], format: "json" },
    ...{ enabled: true, sealed_secret: sealWebhookSecret(context.vault, id, secret, "sealed_secret") },
    ...{ sealed_previous_secret: null, previous_secret_expires_at: null, failing_since: null },
    ...{ disabled_reason: null, disabled_at: null, agent_id: agent.id },
    ...{ created_by: actor.name, created_at: now, updated_at: now },
  });
  return secret;
}

function requireReachableUrl(context: Saving["context"], url: string): void {
  try {
    context.assertReachableUrl(url);
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid("notify_url", error.message);
    throw error;
  }
}
