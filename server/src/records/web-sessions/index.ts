export {
  confirmWebSession,
  deleteEndedWebSessions,
  deleteWebSession,
  deleteWebSessionByToken,
  deleteWebSessionsOfUser,
  findWebSession,
  insertWebSession,
  lastSeenOf,
  listWebSessions,
  type SessionEnd,
  type SignedIn,
  touchWebSession,
} from "./store.ts";
