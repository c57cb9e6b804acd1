import { Refusal } from "#lib/errors";
import type { Logger } from "#lib/logger";
import {
  agentsDue,
  findAgent,
  hasOpenScheduledSession,
  lockAgent,
  nextRunAt,
  queueSession,
  type SessionInput,
  updateAgent,
} from "#records/agents";
import type { AgentRow } from "#storage/agent-tables";
import type { MainTransaction } from "#storage/database";
import { type WriteAuthor, type WriteContext, type WriteTrail, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { StepGuards } from "./step-guards.ts";

interface ScheduleNeeds extends WriteContext {
  readonly vault: Vault;
  readonly stepGuards: Pick<StepGuards, "guardText">;
  readonly logger: Logger;
  /** Looks for queued sessions. */
  wake(): void;
}

const HOUR_MS = 60 * 60 * 1000;
/** A run that is later than this is skipped. */
const MAX_LATE_MS = HOUR_MS;
const MAX_DUE = 200;
const ACTOR = { kind: "system", id: "agents", name: "Schedule" } as const;
const AUTHOR: WriteAuthor = { actor: ACTOR, requestId: "agents" };

/**
 * Starts the sessions of schedules that are due. One process does this at a time. Should two do, the lock of the agent and
 * its next run, which is set in the same transaction, keep them from starting a session twice.
 */
export async function runDueSchedules(needs: ScheduleNeeds): Promise<void> {
  const { db, clock, wake } = needs;
  for (const slug of await agentsDue(db, clock.now(), MAX_DUE)) {
    // Guards can use the network, so they run before the transaction.
    const input = await scheduledInput(needs, slug);
    if (!input) continue;
    const due = { slug, input };
    const { result: isStarted } = await writeTransaction(needs, AUTHOR, (tx, trail) => runOne(needs, tx, trail, due));
    if (isStarted) wake();
  }
}

async function scheduledInput({ db, stepGuards }: ScheduleNeeds, slug: string): Promise<SessionInput | undefined> {
  const agent = await findAgent(db, slug);
  if (!agent?.schedule) return undefined;
  const { input: given } = agent.schedule;
  return { given, shown: (await stepGuards.guardText(agent, given)).text };
}

async function runOne(
  { clock, newId, vault, logger }: ScheduleNeeds,
  tx: MainTransaction,
  trail: WriteTrail,
  { slug, input }: { readonly slug: string; readonly input: SessionInput },
): Promise<boolean> {
  const now = clock.now();
  const agent = await lockAgent(tx, slug);
  const dueAt = agent?.next_run_at ?? null;
  if (!agent?.schedule || dueAt === null || dueAt > now) return false;
  // The schedule was changed in the meantime. If it is still due, the next turn starts it.
  if (input.given !== agent.schedule.input) return false;
  const next_run_at = nextRunAt(agent, now);
  const reason = await obstacle(tx, agent, now - dueAt);
  const target = { kind: "agent", id: agent.id, name: slug };
  const due_at = new Date(dueAt).toISOString();
  if (reason !== undefined) {
    await updateAgent(tx, agent, { next_run_at, skipped_at: now });
    trail.audit({ operation: "skipAgentSchedule", target, after: { due_at, reason } });
    logger.warn({ agent: slug, dueAt: due_at }, `a scheduled session was skipped: ${reason}`);
    return false;
  }
  await updateAgent(tx, agent, { next_run_at });
  try {
    const start = { newId, vault, now, cause: "schedule", input, requestedBy: ACTOR } as const;
    const session = await queueSession(tx, agent, start);
    trail.audit({ operation: "runAgentSchedule", target, after: { due_at, session: session.id } });
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await updateAgent(tx, agent, { next_run_at, skipped_at: now });
    trail.audit({ operation: "skipAgentSchedule", target, after: { due_at, reason: error.message } });
    return false;
  }
}

/** Undefined: the session can start. */
async function obstacle(tx: MainTransaction, agent: AgentRow, lateMs: number): Promise<string | undefined> {
  if (lateMs >= MAX_LATE_MS) return "it was due more than an hour ago";
  if (await hasOpenScheduledSession(tx, agent.id)) return "the previous scheduled session has not ended";
  return undefined;
}
