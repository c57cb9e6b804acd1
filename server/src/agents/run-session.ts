/** One session of an agent on the built-in platform, from its claim to its end. */
import type { EgressFetch } from "#egress/egress";
import type { DefaultProvider } from "#lib/default-provider";
import type { RandomBytes } from "#lib/random";
import { randomUint30 } from "#lib/random";
import {
  type EndedStatus,
  endSession,
  openSessionInput,
  type SessionEnd,
  type SessionUsage,
  saveProgress,
} from "#records/agents";
import { findApproval } from "#records/approvals";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import { type WriteAuthor, type WriteContext, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import { GatewayClient, GatewayFailure, type GatewayPort } from "./gateway-client.ts";
import type { ApprovalOutcome, LoopResult, Step, Turn, Usage } from "./loop/ports.ts";
import { runLoop } from "./loop/run-loop.ts";
import { languageModel } from "./model/language-model.ts";
import { modelSettings } from "./model/resolve-provider.ts";
import { makeSessionToken } from "./session-token.ts";
import { instructionsFor, SkillTools } from "./skill-tools.ts";
import type { StepGuards } from "./step-guards.ts";
import { stepRow } from "./step-row.ts";
import type { StepWriter } from "./step-writer.ts";

export interface SessionNeeds extends WriteContext {
  readonly vault: Vault;
  readonly random: RandomBytes;
  readonly fetch: EgressFetch;
  readonly gateway: GatewayPort;
  readonly stepGuards: Pick<StepGuards, "guardText">;
  /** For agents without a provider. */
  readonly defaultProvider: DefaultProvider | undefined;
  /** Resolves when a session can do its next piece of work: callers come first. */
  nextTurn(): Promise<void>;
  /** Identifies this process in claims. */
  readonly holder: string;
  /** Resolves when the gateway of this process knows the revision. */
  waitUntilPublished(revision: number): Promise<void>;
}

/** Why a session was stopped from outside. */
export class Stop extends Error {
  readonly status: EndedStatus | "lost";
  readonly code: string | undefined;

  constructor(status: EndedStatus | "lost", message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "agents", name: "Agents" }, requestId: "agents" };
const APPROVAL_POLL_MS = 1_000;
const NO_PROVIDER =
  "The agent has no provider, and this installation has no default. Set a provider of the agent, or AGENT_PROVIDER";
const UNUSED: Usage = { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 };

export interface SessionOptions {
  /** Of the conversation that it follows up. */
  readonly history: readonly Turn[];
  readonly stop: AbortSignal;
  readonly steps: Pick<StepWriter, "write">;
}

/** Resolves when the session has ended, in the database too. */
export async function runSession(
  needs: SessionNeeds,
  agent: AgentRow,
  session: AgentSessionRow,
  options: SessionOptions,
): Promise<void> {
  const run = new SessionRun(needs, agent, session, options);
  const end = await run.result();
  if (end === undefined) return;
  await run.end(end);
}

class SessionRun {
  readonly #needs: SessionNeeds;
  readonly #agent: AgentRow;
  readonly #session: AgentSessionRow;
  readonly #options: SessionOptions;
  readonly #stop: AbortSignal;
  readonly #claim: { readonly id: string; readonly holder: string };
  #position = 0;
  #usage: SessionUsage = { steps: 0, tool_calls: 0, input_tokens: 0, output_tokens: 0 };

  constructor(needs: SessionNeeds, agent: AgentRow, session: AgentSessionRow, options: SessionOptions) {
    this.#needs = needs;
    this.#agent = agent;
    this.#session = session;
    this.#options = options;
    this.#stop = options.stop;
    this.#claim = { id: session.id, holder: needs.holder };
  }

  /** Undefined: another process decides about the session. */
  async result(): Promise<SessionEnd | undefined> {
    try {
      return this.#endOf(await this.#loop());
    } catch (error) {
      if (this.#stop.aborted && this.#stop.reason instanceof Stop) {
        const { status, code, message } = this.#stop.reason;
        return status === "lost" ? undefined : { status, ...failure(code, code === undefined ? undefined : message) };
      }
      if (error instanceof GatewayFailure) return { status: "failed", ...failure("gateway_error", error.message) };
      throw error;
    }
  }

  #endOf(result: LoopResult): SessionEnd {
    if (result.status === "completed") return { status: "completed", output: result.output };
    return { status: "failed", ...failure(result.code, result.message) };
  }

  async #loop(): Promise<LoopResult> {
    const { clock, random, gateway, db, fetch, vault, defaultProvider, stepGuards } = this.#needs;
    const agent = this.#agent;
    const { history } = this.#options;
    const settings = modelSettings(vault, agent, defaultProvider);
    if (!settings) return { status: "failed", code: "provider_error", message: NO_PROVIDER, usage: UNUSED };
    await this.#needs.nextTurn();
    const token = await makeSessionToken(this.#needs, agent, this.#session);
    const client = new GatewayClient(gateway, token, agent.toolkit ?? undefined);
    const skills = new SkillTools(db, client, agent.skills);
    return runLoop({
      ...{ clock, history, input: openSessionInput(vault, this.#session), signal: this.#stop, gateway: skills },
      nextTurn: () => this.#needs.nextTurn(),
      guardText: (text) => stepGuards.guardText(agent, text),
      model: await languageModel(settings, fetch),
      instructions: await instructionsFor(db, agent),
      limits: {
        maxSteps: agent.limits.max_steps,
        maxOutputTokens: agent.limits.max_output_tokens,
        maxTotalTokens: agent.limits.max_total_tokens,
      },
      record: (step, usage) => this.#record(step, usage),
      approvalDecided: (id) => this.#approvalDecided(id),
      random: () => randomUint30(random) / 2 ** 30,
    });
  }

  async #record(step: Step, { steps, toolCalls, inputTokens, outputTokens }: Usage): Promise<void> {
    const usage = { steps, tool_calls: toolCalls, input_tokens: inputTokens, output_tokens: outputTokens };
    this.#usage = usage;
    const row = stepRow(this.#session.id, this.#position++, step);
    if (!(await this.#options.steps.write({ row, usage }))) throw this.#lost();
  }

  #lost(): Stop {
    return new Stop("lost", "another process ended the session");
  }

  async #approvalDecided(id: string): Promise<ApprovalOutcome> {
    const { db, clock } = this.#needs;
    await saveProgress(db, this.#claim, { status: "waiting_approval", approval_id: id });
    for (;;) {
      const approval = await findApproval(db, id);
      if (approval?.status !== "pending" || approval.expires_at <= clock.now()) {
        await saveProgress(db, this.#claim, { status: "running", approval_id: null });
        if (approval?.status === "approved") return "approved";
        return approval?.status === "denied" ? "denied" : "expired";
      }
      await new Promise<void>((resolve, reject) => {
        const aborted = () => {
          timer.cancel();
          reject(this.#stop.reason);
        };
        const timer = clock.after(APPROVAL_POLL_MS, () => {
          this.#stop.removeEventListener("abort", aborted);
          resolve();
        });
        this.#stop.throwIfAborted();
        this.#stop.addEventListener("abort", aborted, { once: true });
      });
    }
  }

  async end(end: SessionEnd): Promise<void> {
    const { clock, holder } = this.#needs;
    const at = clock.now();
    await writeTransaction(this.#needs, AUTHOR, (tx, trail) =>
      endSession(tx, trail, this.#agent, this.#session, { ...this.#usage, ...end }, { at, holder }),
    );
  }
}

function failure(code: string | undefined, message: string | undefined): Omit<SessionEnd, "status"> {
  return { error_code: code ?? null, error_message: message ?? null };
}
