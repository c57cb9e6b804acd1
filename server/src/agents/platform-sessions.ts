/** Sessions that run on another platform: how they start, and how their state comes back. */
import type { Logger } from "#lib/logger";
import {
  countStoredSteps,
  endSession,
  findAgentById,
  followedSessions,
  handOverSession,
  insertNewSteps,
  openSessionInput,
  type SessionEnd,
  saveReported,
} from "#records/agents";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import { type WriteAuthor, type WriteContext, writeTransaction } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import { GatewayFailure } from "./gateway-client.ts";
import { PlatformFailure, type RemoteSession, type Started } from "./platforms/platform.ts";
import type { Platforms } from "./platforms/platforms.ts";
import { makeSessionToken, type TokenNeeds } from "./session-token.ts";
import type { StepGuards } from "./step-guards.ts";
import { stepRow } from "./step-row.ts";

export interface PlatformNeeds extends TokenNeeds {
  readonly vault: Vault;
  readonly platforms: Platforms;
  readonly holder: string;
}

const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "agents", name: "Agents" }, requestId: "agents" };
const MAX_FOLLOWED = 200;

/** Hands a claimed session over to its platform. It fails if the platform does not accept it. */
export async function startOnPlatform(
  needs: PlatformNeeds,
  agent: AgentRow,
  session: AgentSessionRow,
  signal: AbortSignal,
): Promise<void> {
  const { clock, db, holder } = needs;
  const given = { ...session, input: openSessionInput(needs.vault, session) };
  const started = await tryStart(needs, agent, given, signal);
  if (started.kind === "started") {
    const until = clock.now() + agent.limits.timeout_seconds * 1000;
    await handOverSession(db, { id: session.id, holder }, { platformSessionId: started.platformSessionId, until });
    return;
  }
  const failed = { status: "failed", error_code: "platform_error", error_message: started.message } as const;
  await writeTransaction(needs, AUTHOR, (tx, trail) =>
    endSession(tx, trail, agent, session, failed, { at: clock.now(), holder }),
  );
}

async function tryStart(
  needs: PlatformNeeds,
  agent: AgentRow,
  session: AgentSessionRow,
  signal: AbortSignal,
): Promise<Started> {
  try {
    // The Managed Agents API has the credential of the gateway in a vault.
    if (agent.platform === "anthropic")
      return await needs.platforms.anthropic.start({ agent, session, token: "" }, signal);
    const token = await makeSessionToken(needs, agent, session);
    return await needs.platforms.webhook.start({ agent, session, token }, signal);
  } catch (error) {
    if (error instanceof PlatformFailure || error instanceof GatewayFailure)
      return { kind: "failed", message: error.message };
    if (signal.aborted) return { kind: "failed", message: "The service was stopped while the session started" };
    throw error;
  }
}

interface FollowNeeds extends WriteContext {
  readonly platforms: Platforms;
  readonly stepGuards: Pick<StepGuards, "apply">;
  readonly logger: Logger;
}

/** Reads the sessions that run at the Managed Agents API. One process does this at a time. */
export async function followPlatformSessions(needs: FollowNeeds): Promise<void> {
  const { db, platforms, logger } = needs;
  for (const session of await followedSessions(db, "anthropic", MAX_FOLLOWED)) {
    const agent = await findAgentById(db, session.agent_id);
    if (!agent || session.platform_session_id === null) continue;
    try {
      const signal = new AbortController().signal;
      const remote = await platforms.anthropic.session(agent, session.platform_session_id, signal);
      await storeRemote(needs, agent, session, remote);
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      // It ends as timed out if the platform stays away.
      logger.warn({ session: session.id, reason: error.message }, "a session of another platform could not be read");
    }
  }
}

/** Undefined: it does not exist there anymore. */
async function storeRemote(
  needs: FollowNeeds,
  agent: AgentRow,
  session: AgentSessionRow,
  remote: RemoteSession | undefined,
): Promise<void> {
  const at = needs.clock.now();
  const stored = await countStoredSteps(needs.db, session.id);
  const guarded = remote && (await needs.stepGuards.apply(agent, { ...remote, steps: remote.steps.slice(stored) }));
  await writeTransaction(needs, AUTHOR, async (tx, trail) => {
    if (!remote || !guarded) {
      const message = "The session was deleted at the platform";
      const end = { status: "failed", error_code: "platform_error", error_message: message } as const;
      await endSession(tx, trail, agent, session, end, { at });
      return;
    }
    await insertNewSteps(
      tx,
      guarded.steps.map((step, at) => stepRow(session.id, stored + at, step)),
    );
    const usage = usageOf(remote);
    if (remote.status === "running") await saveReported(tx, session.id, usage);
    else await endSession(tx, trail, agent, session, { ...usage, ...endOf(guarded) }, { at });
  });
}

export function usageOf({ steps, inputTokens, outputTokens }: RemoteSession) {
  return {
    steps: steps.filter(({ type }) => type === "model").length,
    tool_calls: steps.filter(({ type }) => type === "tool_call").length,
    ...{ input_tokens: inputTokens, output_tokens: outputTokens },
  };
}

/** Its texts are as guards left them. */
export function endOf({ status, output, error }: Pick<RemoteSession, "status" | "output" | "error">): SessionEnd {
  if (status === "completed") return { status, output };
  return { status: "failed", error_code: "platform_error", error_message: error ?? "The session was terminated" };
}
