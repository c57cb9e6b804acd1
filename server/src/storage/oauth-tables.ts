/** The rows of OAuth towards customers' servers (Spec 4.6), and the JSON in them. */

/** What discovery read at a server and its authorization server (Spec 4.6), the settings of an admin worked in. */
export interface DiscoveredOAuth {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  registrationEndpoint?: string;
  revocationEndpoint?: string;
  /** RFC 8707: what tokens are asked for. */
  resource: string;
  /** What the server wants asked for, where an admin has not said it. */
  scopes: string[];
  /** As the metadata lists them; absent where it does not. */
  authMethods?: string[];
  grantTypes?: string[];
  /** RFC 9207: every answer names its issuer. */
  namesIssuer?: boolean;
  /** It accepts the address of a document as client id. */
  readsClientDocuments?: boolean;
}

export type ClientAuthMethod = "none" | "client_secret_post" | "client_secret_basic";

/**
 * Where our client at an authorization server is found again: set by an admin, our own document, or a registration's id;
 * `machine`: the machine user's own (D24).
 */
export type ClientSource = "settings" | "document" | "machine" | `cli_${string}`;

/** A client that we registered by ourselves (RFC 7591), good for one server at one authorization server. */
export interface OAuthClientRow {
  id: string;
  server_id: string;
  /** A digest of everything that the registration is bound to (OA-4). */
  binding_key: string;
  client_id: string;
  auth_method: ClientAuthMethod;
  sealed_client_secret: string | null;
  /** Null: never. */
  secret_expires_at: number | null;
  created_at: number;
}

/** What was true when a browser left for the authorization server: the answer is judged by this (OA-4). */
export interface FlowPlan {
  upstreamUrl: string;
  issuer: string;
  namesIssuer: boolean;
  tokenEndpoint: string;
  revocationEndpoint?: string;
  redirectUri: string;
  resource: string;
  scopes: string[];
  clientId: string;
  clientSource: ClientSource;
  /** The browser left in a window of its own, which closes when it is done. */
  isPopup?: true;
  /** The authorization server did not know our client the first time. */
  isSecondTry?: true;
}

export interface OAuthFlowRow {
  id: string;
  state_hash: string;
  browser_hash: string;
  user_id: string;
  server_id: string;
  sealed_verifier: string;
  plan: FlowPlan;
  expires_at: number;
}
