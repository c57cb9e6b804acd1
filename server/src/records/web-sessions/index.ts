export {
  confirmWebSession,
  deleteEndedWebSessions,
  deleteWebSession,
  deleteWebSessionByToken,
  deleteWebSessionsOfUser,
  findWebSession,
  insertWebSession,
  listWebSessions,
  type SignedIn,
  touchWebSession,
} from "./store.ts";
