export {
  deleteMcpSessionsBefore,
  endedMcpSessions,
  endMcpSession,
  mcpSessionsByIds,
  setMcpLogLevel,
} from "./store.ts";
export {
  deleteMcpSubscription,
  deleteMcpSubscriptionsBefore,
  insertMcpSubscription,
  mcpSubscriptionsOf,
  touchMcpSubscriptions,
} from "./subscriptions.ts";
export {
  deleteUpstreamSession,
  deleteUpstreamSessionsBefore,
  findUpstreamSession,
  insertUpstreamSession,
  touchUpstreamSessions,
  type UpstreamSessionPlace,
} from "./upstream-sessions.ts";
