import { nextRunAfter } from "#lib/cron";
import { isObject } from "#lib/is-object";
import type { AgentRow } from "#storage/agent-tables";
import type { MainDb, MainTransaction } from "#storage/database";
import type { Vault } from "#storage/vault";

/** When the schedule starts the next session after `now`. Null: never. */
export function nextRunAt({ status, schedule }: Pick<AgentRow, "status" | "schedule">, now: number): number | null {
  if (status !== "active" || !schedule?.enabled) return null;
  return nextRunAfter(schedule, now) ?? null;
}

/** Slugs of agents whose schedule is due, those that wait longest first. */
export async function agentsDue(db: MainDb, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("agents")
    .select("slug")
    .where("next_run_at", "<=", now)
    .where("status", "=", "active")
    .orderBy("next_run_at")
    .limit(limit)
    .execute();
  return rows.map(({ slug }) => slug);
}

export async function hasOpenScheduledSession(db: MainDb, agentId: string): Promise<boolean> {
  const row = await db
    .selectFrom("agent_sessions")
    .select("id")
    .where("agent_id", "=", agentId)
    .where("cause", "=", "schedule")
    .where("ended_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The secrets of an inbound webhook. */
export interface HookSecrets {
  readonly current: string;
  readonly previous?: string | undefined;
  readonly previousExpiresAt?: number | undefined;
}

const HOOK = { table: "agents", column: "sealed_hook" } as const;

export function sealHookSecrets(vault: Vault, agentId: string, secrets: HookSecrets): string {
  return vault.seal("agent-secret", { ...HOOK, row: agentId }, JSON.stringify(secrets));
}

export function openHookSecrets(
  vault: Vault,
  { id, sealed_hook: sealed }: Pick<AgentRow, "id" | "sealed_hook">,
): HookSecrets | undefined {
  if (sealed === null) return undefined;
  const value: unknown = JSON.parse(vault.open("agent-secret", { ...HOOK, row: id }, sealed));
  // Written by sealHookSecrets.
  return isObject(value) ? (value as unknown as HookSecrets) : undefined;
}

/** The session that one of these requests started, if it was seen before. */
export async function sessionOfHookRequest(
  db: MainDb,
  agentId: string,
  keys: readonly string[],
): Promise<string | undefined> {
  const row = await db
    .selectFrom("agent_hook_requests")
    .select("session_id")
    .where("agent_id", "=", agentId)
    .where("request_key", "in", keys)
    .limit(1)
    .executeTakeFirst();
  return row?.session_id;
}

export async function insertHookRequest(
  tx: MainTransaction,
  agentId: string,
  keys: readonly string[],
  { sessionId, at }: { readonly sessionId: string; readonly at: number },
): Promise<void> {
  const rows = keys.map((request_key) => ({ agent_id: agentId, request_key, session_id: sessionId, at }));
  await tx
    .insertInto("agent_hook_requests")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["agent_id", "request_key"]).doNothing())
    .execute();
}

export async function deleteHookRequestsBefore(db: MainDb, before: number): Promise<void> {
  await db.deleteFrom("agent_hook_requests").where("at", "<", before).execute();
}
