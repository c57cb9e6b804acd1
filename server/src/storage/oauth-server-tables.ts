/** The rows of the OAuth server for people's MCP clients. */

/** The stored state of the OAuth library. `id` is a hash, so reading the table yields nothing that can be presented. */
export interface OAuthArtifactRow {
  id: string;
  model: string;
  user_id: string | null;
  client_id: string | null;
  grant_id: string | null;
  sealed_payload: string;
  consumed_at: number | null;
  expires_at: number;
  created_at: number;
}

/** An MCP client that a person connected. */
export interface OAuthGrantRow {
  id: string;
  user_id: string;
  client_id: string;
  /** The name that the client gave itself. */
  client_name: string;
  redirect_uri: string;
  /** The only gateway path that the client can use; null means all. */
  resource_path: string | null;
  /** The server that had the slug in `resource_path` when the person consented; null if none had it. */
  server_id?: string | null | undefined;
  created_at: number;
  /** When the client last received a token. */
  last_used_at: number;
  /** When the grant expires unless the client receives another token. */
  expires_at: number;
}

export interface OAuthServerTables {
  oauth_artifacts: OAuthArtifactRow;
  oauth_grants: OAuthGrantRow;
}
