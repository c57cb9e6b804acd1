export {
  agentsWithQueued,
  claimSession,
  type EndedStatus,
  expiredSessions,
  type NewStep,
  recordSteps,
  renewClaims,
  type SessionClaim,
  type SessionProgress,
  type SessionUsage,
  saveProgress,
} from "./claims.ts";
export { endSession, type SessionEnd } from "./end-session.ts";
export {
  countSteps,
  countStoredSteps,
  followedSessions,
  handOverSession,
  insertNewSteps,
  knownPlatformAgents,
  knownPlatformSessions,
  saveReported,
} from "./platform-sessions.ts";
export { type NewSession, queueSession } from "./queue-session.ts";
export {
  openPlatformSecrets,
  openProviderSecrets,
  openSessionInput,
  type PlatformSecrets,
  type ProviderSecrets,
  type SessionInput,
  sealPlatformSecrets,
  sealProviderSecrets,
} from "./secrets.ts";
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
  openSessionIds,
  type SessionFilter,
  setCancelRequested,
  stepsAfter,
} from "./sessions.ts";
export {
  type AgentFilter,
  agentsBoundTo,
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
export {
  agentsDue,
  deleteHookRequestsBefore,
  type HookSecrets,
  hasOpenScheduledSession,
  insertHookRequest,
  nextRunAt,
  openHookSecrets,
  sealHookSecrets,
  sessionOfHookRequest,
} from "./triggers.ts";
