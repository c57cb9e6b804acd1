export {
  deletePassedMessage,
  deletePassedMessagesBefore,
  insertPassedMessages,
  type PassedMessagesTaker,
  sessionsWithPassedMessages,
  takeCancelledCalls,
  takePassedMessages,
} from "./passed-messages.ts";
export {
  deleteMcpSessionsBefore,
  endedMcpSessions,
  endMcpSession,
  mcpSessionsByIds,
  rememberMcpSession,
  setMcpLogLevel,
} from "./store.ts";
export {
  deleteMcpSubscription,
  deleteMcpSubscriptionsBefore,
  handOverMcpSubscription,
  insertMcpSubscription,
  mcpSubscriptionsOf,
  takeMcpSubscription,
  touchMcpSubscriptions,
} from "./subscriptions.ts";
export {
  deleteUpstreamSession,
  deleteUpstreamSessionsBefore,
  findUpstreamSession,
  insertUpstreamSession,
  touchUpstreamSessions,
  type UpstreamSessionPlace,
  upstreamSessionsOf,
} from "./upstream-sessions.ts";
