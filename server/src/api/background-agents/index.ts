import type { Operation } from "#api/kit/operation";
import { cancelAgentSession } from "./cancel-agent-session.ts";
import { createBackgroundAgent } from "./create-background-agent.ts";
import { deleteBackgroundAgent } from "./delete-background-agent.ts";
import { getAgentSession } from "./get-agent-session.ts";
import { getBackgroundAgent } from "./get-background-agent.ts";
import { getDefaultProvider } from "./get-default-provider.ts";
import { importBackgroundAgents } from "./import-background-agents.ts";
import { invokeBackgroundAgent } from "./invoke-background-agent.ts";
import { listAgentSessions } from "./list-agent-sessions.ts";
import { listAgentSteps } from "./list-agent-steps.ts";
import { listBackgroundAgents } from "./list-background-agents.ts";
import { reportAgentSession } from "./report-agent-session.ts";
import { rotateAgentSecret } from "./rotate-agent-secret.ts";
import { sendAgentMessage } from "./send-agent-message.ts";
import { streamAgentSession } from "./stream-agent-session.ts";
import { syncBackgroundAgent } from "./sync-background-agent.ts";
import { updateBackgroundAgent } from "./update-background-agent.ts";

/** In document order. */
export const agentOperations: readonly Operation[] = [
  listBackgroundAgents,
  createBackgroundAgent,
  updateBackgroundAgent,
  deleteBackgroundAgent,
  getBackgroundAgent,
  getDefaultProvider,
  rotateAgentSecret,
  syncBackgroundAgent,
  importBackgroundAgents,
  invokeBackgroundAgent,
  listAgentSessions,
  getAgentSession,
  listAgentSteps,
  streamAgentSession,
  cancelAgentSession,
  sendAgentMessage,
  reportAgentSession,
];
