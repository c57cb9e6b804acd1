/** The rows of the OAuth client for upstream servers (Spec 4.6), and their JSON. */

/** The result of discovery at a server and its authorization server (Spec 4.6), merged with an admin's settings. */
export interface DiscoveredOAuth {
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  registrationEndpoint?: string;
  revocationEndpoint?: string;
  /** RFC 8707: the resource that tokens are requested for. */
  resource: string;
  /** The scopes that the server requests, unless an admin set others. */
  scopes: string[];
  /** As listed in the metadata; absent if it lists none. */
  authMethods?: string[];
  grantTypes?: string[];
  /** RFC 9207: responses contain the issuer. */
  namesIssuer?: boolean;
  /** It accepts the URL of a client metadata document as client ID. */
  readsClientDocuments?: boolean;
}

/** What a server names instead of its pinned settings. It is used only after an admin approved it (OA-4). */
export interface OAuthChange {
  found: DiscoveredOAuth;
  /** Epoch milliseconds. */
  foundAt: number;
  /** An admin decided to keep the pinned settings. */
  isKept?: true;
}

export type ClientAuthMethod = "none" | "client_secret_post" | "client_secret_basic";

/**
 * Where the OAuth client comes from: an admin's settings, Gatehouse's client metadata document, or the ID of a
 * registration; `machine` is the machine user's own client (D24).
 */
export type ClientSource = "settings" | "document" | "machine" | `cli_${string}`;

/** A client that Gatehouse registered dynamically (RFC 7591), for one server at one authorization server. */
export interface OAuthClientRow {
  id: string;
  server_id: string;
  /** Digest of everything that the registration is bound to (OA-4). */
  binding_key: string;
  client_id: string;
  auth_method: ClientAuthMethod;
  sealed_client_secret: string | null;
  /** Null if it never expires. */
  secret_expires_at: number | null;
  created_at: number;
}

/** The parameters of an authorization request. The response is checked against them (OA-4). */
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
  /** The sign-in runs in a popup, which closes when it is done. */
  isPopup?: true;
  /** The authorization server did not know the client on the first attempt. */
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
