export {
  type CursorChanges,
  claimCursor,
  dueCursors,
  moveCursor,
  releaseCursors,
  retryNow,
  rewindCursor,
} from "./cursors.ts";
export { type Lag, type LogDatabases, lagOf, newestPosition, positionBefore } from "./positions.ts";
export { type LogDestinationSecrets, openLogSecrets, sealLogSecrets } from "./secrets.ts";
export {
  cursorSources,
  cursorsOf,
  deleteLogDestination,
  findLogDestination,
  insertLogDestination,
  listLogDestinations,
  lockLogDestination,
  MOST_LOG_DESTINATIONS,
  newCursor,
  searchLogDestinations,
  setCursors,
  updateLogDestination,
} from "./store.ts";
