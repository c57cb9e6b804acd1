import { sql } from "kysely";
import type { AgentSessionRow, AgentStepRow, SessionStatus } from "#storage/agent-tables";
import { insertRows } from "#storage/bulk-insert";
import type { MainDb, MainTransaction } from "#storage/database";
import { jsonRows } from "#storage/json-rows";
import { lockRows } from "#storage/lock-rows";

export interface SessionClaim {
  readonly holder: string;
  readonly now: number;
  /** When other processes assume that this one is dead. */
  readonly until: number;
}

/** Agents with queued sessions, those with the oldest first. */
export async function agentsWithQueued(db: MainDb, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("agent_sessions")
    .select("agent_id")
    .where("status", "=", "queued")
    .where("ended_at", "is", null)
    .groupBy("agent_id")
    .orderBy((order) => order.fn.min("created_at"))
    .limit(limit)
    .execute();
  return rows.map(({ agent_id: id }) => id);
}

/**
 * Claims the oldest queued session of an agent, unless as many run as it allows. The lock of the agent's row orders
 * processes, so that two of them never exceed the limit together.
 */
export async function claimSession(
  tx: MainTransaction,
  agentId: string,
  { holder, now, until }: SessionClaim,
): Promise<AgentSessionRow | undefined> {
  const agent = await lockRows(
    tx,
    tx.selectFrom("agents").select(["status", "limits"]).where("id", "=", agentId),
  ).executeTakeFirst();
  if (agent?.status !== "active") return undefined;
  const running = await tx
    .selectFrom("agent_sessions")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("agent_id", "=", agentId)
    .where("status", "in", ["running", "waiting_approval"])
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  if (running.n >= agent.limits.max_concurrent) return undefined;
  const next = tx
    .selectFrom("agent_sessions")
    .select("id")
    .where("agent_id", "=", agentId)
    .where("status", "=", "queued")
    .where("ended_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .limit(1);
  return tx
    .updateTable("agent_sessions")
    .set({ status: "running", started_at: now, claimed_by: holder, claimed_until: until })
    .where("id", "in", next)
    .where("status", "=", "queued")
    .returningAll()
    .executeTakeFirst();
}

/** Extends the claims of these sessions. Returns those that should be canceled, and those that are not held anymore. */
export async function renewClaims(
  db: MainDb,
  ids: readonly string[],
  { holder, until }: SessionClaim,
): Promise<{ readonly canceled: readonly string[]; readonly lost: readonly string[] }> {
  if (ids.length === 0) return { canceled: [], lost: [] };
  const rows = await db
    .updateTable("agent_sessions")
    .set({ claimed_until: until })
    .where("id", "in", ids)
    .where("claimed_by", "=", holder)
    .where("ended_at", "is", null)
    .returning(["id", "cancel_requested"])
    .execute();
  const held = new Set(rows.map(({ id }) => id));
  return {
    canceled: rows.filter((row) => row.cancel_requested).map(({ id }) => id),
    lost: ids.filter((id) => !held.has(id)),
  };
}

/** Open sessions whose claim expired: their process died, or another platform did not report in time. */
export async function expiredSessions(db: MainDb, now: number, limit: number): Promise<AgentSessionRow[]> {
  return db
    .selectFrom("agent_sessions")
    .selectAll()
    .where("status", "in", ["running", "waiting_approval"])
    .where("ended_at", "is", null)
    .where("claimed_until", "<", now)
    .limit(limit)
    .execute();
}

/** What the holder of a session can change. */
export type SessionProgress = Partial<
  Pick<
    AgentSessionRow,
    | "status"
    | "output"
    | "error_code"
    | "error_message"
    | "steps"
    | "tool_calls"
    | "input_tokens"
    | "output_tokens"
    | "approval_id"
    | "ended_at"
  >
>;

/** False if the claim is lost; nothing is changed then. */
export async function saveProgress(
  db: MainDb,
  { id, holder }: { readonly id: string; readonly holder: string },
  progress: SessionProgress,
): Promise<boolean> {
  const row = await db
    .updateTable("agent_sessions")
    .set(progress)
    .where("id", "=", id)
    .where("claimed_by", "=", holder)
    .where("ended_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export type SessionUsage = Pick<AgentSessionRow, "steps" | "tool_calls" | "input_tokens" | "output_tokens">;

export interface NewStep {
  readonly row: AgentStepRow;
  /** Of its session, including this step. */
  readonly usage: SessionUsage;
}

const STEP_COLUMNS = [
  ["session_id", "text"],
  ["position", "bigint"],
  ["type", "text"],
  ["data", "text"],
  ["started_at", "bigint"],
  ["duration_ms", "bigint"],
] as const;

/**
 * Stores steps of several sessions in one transaction, because every commit waits for the disk. Returns the sessions that
 * the holder still has; nothing is written for others. All rows are one parameter, so that no statement is compiled again
 * for a different number of steps.
 */
export async function recordSteps(db: MainDb, holder: string, steps: readonly NewStep[]): Promise<ReadonlySet<string>> {
  const latest = new Map(steps.map(({ row, usage }) => [row.session_id, usage]));
  const usages = [...latest].map(([id, usage]) => {
    return [id, usage.steps, usage.tool_calls, usage.input_tokens, usage.output_tokens];
  });
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`update agent_sessions set
      steps = changes.steps, tool_calls = changes.calls, input_tokens = changes.input, output_tokens = changes.output
      from (select value->>0 as session, cast(value->>1 as bigint) as steps, cast(value->>2 as bigint) as calls,
        cast(value->>3 as bigint) as input, cast(value->>4 as bigint) as output from ${jsonRows(tx, usages)}) as changes
      where id = changes.session and claimed_by = ${holder} and ended_at is null returning id`.execute(tx);
    const held = new Set(rows.map(({ id }) => id));
    const written = steps.filter(({ row }) => held.has(row.session_id));
    const values = written.map(({ row }) => STEP_COLUMNS.map(([column]) => row[column]));
    await insertRows(tx, "agent_steps", STEP_COLUMNS, values);
    return held;
  });
}

export type EndedStatus = Exclude<SessionStatus, "queued" | "running" | "waiting_approval">;
