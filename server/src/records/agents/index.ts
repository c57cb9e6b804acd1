export {
  agentsWithQueued,
  claimSession,
  type EndedStatus,
  endInterrupted,
  insertStep,
  renewClaims,
  type SessionClaim,
  type SessionProgress,
  saveProgress,
} from "./claims.ts";
export { openProviderSecrets, type ProviderSecrets, sealProviderSecrets } from "./secrets.ts";
export {
  countSessions,
  deleteSessionsBefore,
  findSession,
  insertSession,
  isOpen,
  lastSessions,
  listSessions,
  listSteps,
  lockSession,
  requestCancel,
  type SessionFilter,
} from "./sessions.ts";
export {
  type AgentFilter,
  countAgents,
  deleteAgent,
  findAgent,
  findAgentById,
  insertAgent,
  listAgents,
  lockAgent,
  searchAgents,
  updateAgent,
} from "./store.ts";
