import type { DefaultProvider } from "#lib/default-provider";
import type { Logger } from "#lib/logger";
import { WorkPoll } from "#lib/work-poll";
import {
  agentsWithQueued,
  claimSession,
  endSession,
  expiredSessions,
  findAgentById,
  findSession,
  renewClaims,
} from "#records/agents";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import { type WriteAuthor, writeTransaction } from "#storage/transaction";
import type { Turn } from "./loop/ports.ts";
import { startOnPlatform } from "./platform-sessions.ts";
import type { Platforms } from "./platforms/platforms.ts";
import { runSession, type SessionNeeds, Stop } from "./run-session.ts";
import type { StepGuards } from "./step-guards.ts";
import { StepWriter } from "./step-writer.ts";

export interface RunnerNeeds extends SessionNeeds {
  readonly platforms: Platforms;
  readonly stepGuards: StepGuards;
  readonly logger: Logger;
}

const CLAIM_MS = 15_000;
/** Sessions that one process runs at a time. */
const MAX_RUNNING = 20;
/** Expired sessions that are ended in one turn. */
const MAX_EXPIRED = 100;
const UNREPORTED = {
  status: "timed_out",
  error_code: "timed_out",
  error_message: "The platform did not report an end of the session in time",
} as const;
const INTERRUPTED = {
  status: "failed",
  error_code: "interrupted",
  error_message: "The process that ran the session ended",
} as const;
const EXPIRED = { builtin: INTERRUPTED, anthropic: UNREPORTED, webhook: UNREPORTED } as const;
/** Sessions of a conversation that a follow-up repeats to the model. */
const MAX_HISTORY = 20;
const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "agents", name: "Agents" }, requestId: "agents" };

/**
 * Runs queued sessions. Every process does; a claim in the database keeps others from running the same session. Claims
 * are renewed while sessions run. If they expire, the process is dead, and its sessions end as interrupted: repeating
 * them could repeat the effects of their tools.
 */
export class AgentRunner {
  readonly #needs: RunnerNeeds;
  readonly #steps: StepWriter;
  readonly #running = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();
  readonly #poll: WorkPoll;
  readonly #stopping = new AbortController();

  constructor(needs: RunnerNeeds) {
    this.#needs = needs;
    this.#steps = new StepWriter(needs);
    this.#poll = new WorkPoll(needs, "sessions of agents", () => this.#work());
  }

  /** For metrics. */
  get runningSessions(): number {
    return this.#running.size;
  }

  /** Aborted when the process stops. */
  get stopped(): AbortSignal {
    return this.#stopping.signal;
  }

  get platforms(): Platforms {
    return this.#needs.platforms;
  }

  get defaultProvider(): DefaultProvider | undefined {
    return this.#needs.defaultProvider;
  }

  get stepGuards(): StepGuards {
    return this.#needs.stepGuards;
  }

  start(): void {
    this.#poll.start();
  }

  /** Looks for queued or canceled sessions now instead of after the next second. */
  wake(): void {
    this.#poll.wake();
  }

  /** Running sessions end as interrupted. Queued ones wait for another process or the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#poll.stop();
    for (const { stop } of this.#running.values())
      stop.abort(new Stop("failed", "The service was stopped", "interrupted"));
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  async #work(): Promise<void> {
    const { db, clock } = this.#needs;
    await this.#renew();
    for (const session of await expiredSessions(db, clock.now(), MAX_EXPIRED)) await this.#endExpired(session);
    for (const agentId of await agentsWithQueued(db, MAX_RUNNING)) await this.#claimAll(agentId);
  }

  /** A process that died cannot end its sessions. They are not repeated, because their tools may have had effects. */
  async #endExpired(session: AgentSessionRow): Promise<void> {
    const { db, clock, logger } = this.#needs;
    const agent = await findAgentById(db, session.agent_id);
    if (!agent) return;
    const at = clock.now();
    const { result: isEnded } = await writeTransaction(this.#needs, AUTHOR, (tx, trail) =>
      endSession(tx, trail, agent, session, EXPIRED[session.platform], { at, claimedBefore: at }),
    );
    if (isEnded) logger.warn({ session: session.id }, EXPIRED[session.platform].error_message);
  }

  get #claim() {
    const { holder, clock } = this.#needs;
    const now = clock.now();
    return { holder, now, until: now + CLAIM_MS };
  }

  async #renew(): Promise<void> {
    const { canceled, lost } = await this.#steps.inOrder(() =>
      renewClaims(this.#needs.db, [...this.#running.keys()], this.#claim),
    );
    for (const id of canceled) this.#running.get(id)?.stop.abort(new Stop("canceled", "The session was canceled"));
    for (const id of lost) this.#running.get(id)?.stop.abort(new Stop("lost", "another process ended the session"));
  }

  async #claimAll(agentId: string): Promise<void> {
    while (this.#running.size < MAX_RUNNING && !this.#stopping.signal.aborted) {
      const { result } = await writeTransaction(this.#needs, AUTHOR, (tx) => claimSession(tx, agentId, this.#claim));
      if (!result) return;
      this.#begin(result);
    }
  }

  #begin(session: AgentSessionRow): void {
    const { logger } = this.#needs;
    const stop = new AbortController();
    const done = this.#run(session, stop)
      .catch((error: unknown) => logger.error({ err: error, session: session.id }, "a session of an agent failed"))
      .finally(() => {
        this.#running.delete(session.id);
        this.wake();
      });
    this.#running.set(session.id, { stop, done });
  }

  async #run(session: AgentSessionRow, stop: AbortController): Promise<void> {
    const { clock, db, holder } = this.#needs;
    const agent = await findAgentById(db, session.agent_id);
    if (!agent) return;
    const seconds = agent.limits.timeout_seconds;
    const timer = clock.after(seconds * 1000, () => {
      stop.abort(new Stop("timed_out", `The session took longer than ${seconds} seconds`, "timed_out"));
    });
    try {
      if (session.platform !== "builtin") return await startOnPlatform(this.#needs, agent, session, stop.signal);
      const history = await this.#historyOf(agent, session);
      await runSession(this.#needs, agent, session, { history, stop: stop.signal, steps: this.#steps });
    } catch (error) {
      const message = "An internal error ended the session. The log of the service has details.";
      const failed = { status: "failed", error_code: "internal_error", error_message: message } as const;
      await writeTransaction(this.#needs, AUTHOR, (tx, trail) =>
        endSession(tx, trail, agent, session, failed, { at: clock.now(), holder }),
      );
      throw error;
    } finally {
      timer.cancel();
    }
  }

  /** The texts of the sessions that this one follows up, oldest first. */
  async #historyOf(agent: AgentRow, session: AgentSessionRow): Promise<Turn[]> {
    const turns: Turn[] = [];
    let parentId = session.parent_id;
    for (let at = 0; parentId !== null && at < MAX_HISTORY; at++) {
      const parent = await findSession(this.#needs.db, agent.id, parentId);
      if (!parent) break;
      const answer: Turn[] = parent.output ? [{ role: "assistant", text: parent.output }] : [];
      turns.unshift({ role: "user", text: parent.input }, ...answer);
      parentId = parent.parent_id;
    }
    return turns;
  }
}
