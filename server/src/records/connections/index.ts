export { type ApiKeySecret, type ConnectionSecret, type OAuthSecret, openConnection } from "./secret.ts";
export {
  type ConnectionEnds,
  type ConnectionMaking,
  connectionCounts,
  connectionCountsOfUsers,
  connectionKey,
  deleteConnection,
  deleteConnectionsOfServer,
  findConnection,
  listConnectionsOfServer,
  listConnectionsOfUser,
  lockConnection,
  markReconnectNeeded,
  noteNeededScopes,
  renewConnection,
  type ServerConnection,
  saveConnection,
} from "./store.ts";
