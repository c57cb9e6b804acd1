export {
  callerStreamsOf,
  deleteCallerStreams,
  deleteCallerStreamsBefore,
  saveCallerStreams,
} from "./caller-streams.ts";
export { deleteLinkedResourcesBefore, findLinkedServer, rememberLinkedResources } from "./linked-resources.ts";
export {
  deleteMailbox,
  deleteReplicaMessage,
  deleteReplicaMessagesBefore,
  insertReplicaMessages,
  type ReplicaMessagesTaker,
  sessionsWithReplicaMessages,
  takeCancelledCalls,
  takeMail,
  takeReplicaMessages,
} from "./replica-messages.ts";
export {
  deleteMcpSessionsBefore,
  endedMcpSessions,
  endMcpSession,
  mcpSessionsByIds,
  rememberMcpSession,
  setMcpLogLevel,
  trimMcpSessions,
} from "./store.ts";
export {
  deleteMcpSubscription,
  deleteMcpSubscriptionsBefore,
  handOverMcpSubscription,
  insertMcpSubscription,
  mcpSubscriptionsOf,
  takeMcpSubscription,
  touchMcpSubscriptions,
  trimMcpSubscriptions,
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
