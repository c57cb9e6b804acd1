export {
  deleteMcpSessionsBefore,
  endedMcpSessions,
  endMcpSession,
  mcpSessionsByIds,
  setMcpLogLevel,
} from "./store.ts";
