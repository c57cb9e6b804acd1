/** The rows of the OAuth server to which people's MCP clients connect. */

/** What the library keeps. `id` is a hash of its own: whoever reads the table can present nothing. */
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

/** A client that a person has connected. */
export interface OAuthGrantRow {
  id: string;
  user_id: string;
  client_id: string;
  /** As the client calls itself. */
  client_name: string;
  redirect_uri: string;
  /** The only path of the gateway that it may use; null: all. */
  resource_path: string | null;
  created_at: number;
  /** When it last got a token. */
  last_used_at: number;
  /** When it ends unless it gets another token. */
  expires_at: number;
}

export interface OAuthServerTables {
  oauth_artifacts: OAuthArtifactRow;
  oauth_grants: OAuthGrantRow;
}
