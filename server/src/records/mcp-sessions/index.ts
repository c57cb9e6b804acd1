export {
  deleteMcpSessionsBefore,
  endedMcpSessions,
  endMcpSession,
  mcpSessionsByIds,
  setMcpLogLevel,
} from "./store.ts";
export {
  deleteUpstreamSession,
  deleteUpstreamSessionsBefore,
  findUpstreamSession,
  insertUpstreamSession,
  touchUpstreamSessions,
  type UpstreamSessionPlace,
} from "./upstream-sessions.ts";
