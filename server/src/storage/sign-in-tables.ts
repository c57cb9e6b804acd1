import type { Generated } from "kysely";

/** The rows of the sign-in tables. */

export type Role = "owner" | "admin" | "auditor" | "member";

export interface PasswordRow {
  user_id: string;
  /** Salted and slow, including its parameters. */
  hash: string;
  changed_at: number;
}

export interface WebSessionRow {
  id: string;
  token_hash: string;
  user_id: string;
  /** How the person authenticated. */
  method: "password" | "setup" | "invitation" | "oidc";
  address: string;
  user_agent: string;
  authenticated_at: number;
  last_seen_at: number;
  expires_at: number;
  created_at: number;
}

/** The organization's OpenID provider. */
export interface IdentityProviderRow {
  id: string;
  issuer: string;
  client_id: string;
  sealed_provider_secret: string | null;
  allowed_domains: string[];
  groups_claim: string | null;
  /** Maps values of the claim to group IDs. */
  group_mapping: Record<string, string>;
  /** Whether a sign-in removes a person from mapped groups that the claim does not list. */
  remove_from_groups: boolean;
  default_role: Exclude<Role, "owner">;
  auto_create: boolean;
  updated_at: number;
}

export interface SetupLinkRow {
  token_hash: string;
  /** Created by an operator, so it is valid even if there is an owner. */
  break_glass: boolean;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

export interface SignInAttemptsRow {
  attempt_key: string;
  failures: number;
  blocked_until: number;
  last_at: number;
}

/** A reset of an account that was in use. The person is notified at the next sign-ins. */
export interface AccountResetRow {
  id: string;
  user_id: string;
  /** `invitation`: a new invitation was accepted. `sso`: the first single sign-on removed a password. */
  reason: "invitation" | "sso";
  /** Who created the invitation. Null: unknown. */
  invited_by: string | null;
  /** What `invited_by` names. Null: unknown. */
  invited_by_kind: "user" | "api_token" | null;
  /** The IP address of the browser. */
  address: string;
  created_at: number;
}

/** The last requests of an identity provider that manages users through SCIM. */
export interface ScimStateRow {
  id: number;
  last_request_at: number;
  /** Method and path. */
  last_request: string;
  last_status: number;
  /** The name of the API token. */
  last_token: string;
  last_error_at: number | null;
  last_error: string | null;
}

export interface SignInTables {
  account_resets: AccountResetRow;
  passwords: PasswordRow;
  web_sessions: WebSessionRow;
  identity_providers: Omit<IdentityProviderRow, "remove_from_groups"> & { remove_from_groups: Generated<boolean> };
  user_identities: { issuer: string; subject: string; user_id: string; created_at: number };
  setup_links: SetupLinkRow;
  sign_in_attempts: SignInAttemptsRow;
  scim_state: ScimStateRow;
}
