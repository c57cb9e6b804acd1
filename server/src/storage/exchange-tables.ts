/** The rows of auth exchange: trusted issuers, and what was issued for their tokens. */

export const EXCHANGE_ALGORITHMS = [
  ...(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const),
  ...(["ES256", "ES384", "ES512", "EdDSA", "Ed25519"] as const),
] as const;
export type ExchangeAlgorithm = (typeof EXCHANGE_ALGORITHMS)[number];

export const CONDITION_OPERATORS = ["equals", "not_equals", "in", "matches", "exists"] as const;
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** A dotted path, or its segments for names that contain dots. */
export type ClaimPath = string | string[];

export interface ExchangeCondition {
  claim: ClaimPath;
  operator: ConditionOperator;
  value: string | number | boolean | string[];
}

export const SUBJECT_MATCHES = ["email", "slug", "external_id"] as const;
export type SubjectMatch = (typeof SUBJECT_MATCHES)[number];

export type ExchangeSubject =
  | {
      mode: "map";
      /** Null: the first of `email`, `sub` and `client_id` that the token has. */
      claim: ClaimPath | null;
      match: SubjectMatch;
      require_verified_email: boolean;
      /** Whether tokens can act as owners and admins. */
      allow_admins: boolean;
    }
  | { mode: "fixed"; machine_user_id: string };

export interface ExchangeProvision {
  create_users: boolean;
  /** IDs of the groups of new users. */
  groups: string[];
  group_claim: ClaimPath | null;
  /** The issuer's group to the ID of a group here. */
  group_map: Record<string, string>;
  sync_groups: boolean;
}

export interface ExchangeTokenRules {
  access_ttl_seconds: number;
  refresh: boolean;
  refresh_ttl_seconds: number;
  scopes: string[];
  /** Nothing outlives the exchanged token. */
  bind_to_jwt_exp: boolean;
}

export interface PublicKeySet {
  keys: Record<string, unknown>[];
}

export interface ExchangeDefinition {
  /** Null: found by discovery, unless there is a static set. */
  jwks_uri: string | null;
  jwks: PublicKeySet | null;
  audiences: string[];
  algorithms: ExchangeAlgorithm[];
  max_age_seconds: number;
  conditions: ExchangeCondition[];
  subject: ExchangeSubject;
  provision: ExchangeProvision;
  token: ExchangeTokenRules;
  one_time_jti: boolean;
  require_api_key: boolean;
  /** Whether the exchanged token is stored, sealed, for servers that receive it, and returned by refreshes. */
  passthrough: boolean;
}

export interface ExchangeProviderRow {
  id: string;
  /** Never changes: the call log has it. */
  slug: string;
  name: string;
  search_text: string;
  enabled: boolean;
  issuer: string;
  definition: ExchangeDefinition;
  created_at: number;
  updated_at: number;
}

export const END_REASONS = ["ended", "revoked", "reused", "replaced", "provider"] as const;
export type EndReason = (typeof END_REASONS)[number];

export interface ExchangeCredentialRow {
  id: string;
  provider_id: string;
  user_id: string;
  /** The value of the claim that selected the user, or the token's `sub`. */
  subject: string;
  client_id: string | null;
  /** The part of the newest access token that is not secret. */
  token_prefix: string;
  scopes: string[];
  resource_path: string | null;
  server_id: string | null;
  sealed_token: string | null;
  token_expires_at: number;
  expires_at: number;
  /** When an access token was last issued for it. */
  last_used_at: number;
  revoked_at: number | null;
  end_reason: EndReason | null;
  ip: string | null;
  created_at: number;
}

export interface ExchangeTables {
  exchange_providers: ExchangeProviderRow;
  exchange_credentials: ExchangeCredentialRow;
  exchange_refresh_tokens: { token_hash: string; credential_id: string; used_at: number | null; created_at: number };
  exchange_audiences: { key: string; provider_id: string };
  exchange_replays: { provider_id: string; jti_hash: string; expires_at: number };
}
