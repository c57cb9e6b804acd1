import type { AgentRow, AgentSessionRow, AgentStepRow } from "#storage/agent-tables";
import type { MainDb, MainTransaction } from "#storage/database";
import type { SessionProgress } from "./claims.ts";

/** Holds sessions that run on another platform, so that no process renews or ends them as its own. */
const HOLDER = "platform";

/** After `until`, the session ends as timed out. */
export async function handOverSession(
  db: MainDb,
  { id, holder }: { readonly id: string; readonly holder: string },
  { platformSessionId, until }: { readonly platformSessionId: string | null; readonly until: number },
): Promise<void> {
  await db
    .updateTable("agent_sessions")
    .set({ claimed_by: HOLDER, claimed_until: until, platform_session_id: platformSessionId })
    .where("id", "=", id)
    .where("claimed_by", "=", holder)
    .where("ended_at", "is", null)
    .execute();
}

/** Open sessions that run there. */
export async function followedSessions(
  db: MainDb,
  platform: AgentRow["platform"],
  limit: number,
): Promise<AgentSessionRow[]> {
  return db
    .selectFrom("agent_sessions")
    .selectAll()
    .where("status", "in", ["running", "waiting_approval"])
    .where("ended_at", "is", null)
    .where("platform", "=", platform)
    .where("claimed_by", "=", HOLDER)
    .orderBy("created_at")
    .limit(limit)
    .execute();
}

/** Steps that are stored already stay. */
export async function insertNewSteps(tx: MainTransaction, rows: readonly AgentStepRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto("agent_steps")
    .values([...rows])
    .onConflict((conflict) => conflict.columns(["session_id", "position"]).doNothing())
    .execute();
}

/** What a platform reports about an open session. */
export async function saveReported(
  tx: MainTransaction,
  id: string,
  progress: Pick<SessionProgress, "steps" | "tool_calls" | "input_tokens" | "output_tokens">,
): Promise<void> {
  await tx.updateTable("agent_sessions").set(progress).where("id", "=", id).where("ended_at", "is", null).execute();
}

/** How many steps of the session are stored, if they were stored without gaps. */
export async function countStoredSteps(db: MainDb, sessionId: string): Promise<number> {
  const { last } = await db
    .selectFrom("agent_steps")
    .select((select) => select.fn.max("position").as("last"))
    .where("session_id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return last === null ? 0 : Number(last) + 1;
}

export async function countSteps(
  db: MainDb,
  sessionId: string,
): Promise<{ readonly steps: number; readonly tool_calls: number }> {
  const rows = await db
    .selectFrom("agent_steps")
    .select(["type", (select) => select.fn.countAll<number>().as("n")])
    .where("session_id", "=", sessionId)
    .groupBy("type")
    .execute();
  const of = (type: AgentStepRow["type"]) => Number(rows.find((row) => row.type === type)?.n ?? 0);
  return { steps: of("model"), tool_calls: of("tool_call") };
}

/** IDs of these sessions that are stored already. */
export async function knownPlatformSessions(
  db: MainDb,
  agentId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom("agent_sessions")
    .select("platform_session_id")
    .where("agent_id", "=", agentId)
    .where("platform_session_id", "in", ids)
    .execute();
  return new Set(rows.flatMap(({ platform_session_id: id }) => (id === null ? [] : [id])));
}

/** IDs of agents of platforms that agents here are linked with. */
export async function knownPlatformAgents(db: MainDb): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("agents").select("sync").where("platform", "!=", "builtin").execute();
  return new Set(rows.flatMap(({ sync }) => sync?.platform_agent_id ?? []));
}
