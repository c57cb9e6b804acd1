export { type PublishedServer, type PublishedTool, publishedServersAfter, publishedServersByIds } from "./published.ts";
export { movesCredentials, needsSetup } from "./setup.ts";
export {
  countServers,
  deleteServer,
  findServer,
  findServerById,
  findServersBySlug,
  freeSlugForRename,
  insertServer,
  listServers,
  lockServer,
  noteSyncError,
  type ServerFilter,
  serverIdsDueForSync,
  serverSearchText,
  updateServer,
} from "./store.ts";
