export { fillEndpointKeys } from "./fill-endpoint-keys.ts";
export { isKeyHeaderName, isKeyHeaderPrefix, isSendableKey, keyHeader } from "./key-header.ts";
export {
  hasPendingOAuthChange,
  isSameAuthority,
  oauthChangeDigest,
  saveDiscoveredOAuth,
  saveOAuthChange,
  serversWithAuthority,
} from "./oauth-pins.ts";
export {
  type PublishedItem,
  type PublishedServer,
  type PublishedTool,
  publishedServersAfter,
  publishedServersByIds,
} from "./published.ts";
export { type NamedServer, searchServers, serverNames } from "./search.ts";
export { movesClientSecret, movesCredentials, movesSharedHeaders, needsSetup } from "./setup.ts";
export {
  MAX_SHARED_HEADERS,
  mergeSharedHeaders,
  openMergedHeaders,
  openSharedHeaders,
  type SharedHeadersPatch,
  sharedHeaderNameFault,
  sharedHeaderValueFault,
} from "./shared-headers.ts";
export {
  countServers,
  countServersUsing,
  deleteServer,
  findServer,
  findServerById,
  findServersBySlug,
  freeSlugForRename,
  insertServer,
  insertServerAs,
  listServers,
  localServers,
  lockServer,
  noteSyncError,
  noteSyncSuccess,
  oauthServerIds,
  type ServerFilter,
  type ServerSort,
  serverIdsDueForSync,
  serverSearchText,
  serversUsing,
  type UsageCount,
  updateServer,
} from "./store.ts";
