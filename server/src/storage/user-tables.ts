import type { Generated } from "kysely";
import type { AuthMethod } from "#lib/call-vocabulary";
import type { CallLimitColumns } from "./limit-tables.ts";
import type { Role } from "./sign-in-tables.ts";

/** The rows of users, groups, their access and their credentials. */

/** With the limits of each member. */
export interface GroupRow extends CallLimitColumns {
  id: string;
  name: string;
  name_key: string;
  auto_assign_users: boolean;
  auto_assign_mcps: boolean;
  show_draft_mcps: boolean;
  /** `scim`: an identity provider manages the name and the members. Null: managed in Gatehouse. */
  provisioned_by?: "scim" | null | undefined;
  /** The provider's ID of the group. */
  external_id?: string | null | undefined;
  created_at: number;
  updated_at: number;
}

type NewGroupRow = Omit<GroupRow, keyof CallLimitColumns>;

export interface UserRow {
  id: string;
  name: string;
  email: string;
  email_key: string;
  search_text: string;
  is_machine_user: boolean;
  slug: string | null;
  role: Role;
  disabled: boolean;
  risk_score: number | null;
  sealed_client_credentials: string | null;
  /** The slug of the only toolkit that a machine user can use; null: not bound to one (F12). */
  toolkit?: string | null | undefined;
  /** The ID that an identity provider or another system has for the user. Unique per kind of user; null: none. */
  external_id?: string | null | undefined;
  /** `scim`: an identity provider manages the person. Null: managed in Gatehouse. */
  provisioned_by?: "scim" | null | undefined;
  /** The provider's name for a provisioned person, and its folded form. */
  user_name?: string | null | undefined;
  user_name_key?: string | null | undefined;
  /** Parts of the name as the provider sent them. */
  scim_profile?: Readonly<Record<string, string>> | null | undefined;
  /** Whether the provider deactivated the person, who is then also disabled. */
  suspended: boolean;
  /** While suspended: whether an admin disabled the person too. */
  disabled_by_admin: boolean;
  created_at: number;
  updated_at: number;
}

export interface CredentialRow {
  id: string;
  kind: AuthMethod;
  user_id: string;
  access_key: string;
  verifier: Uint8Array;
  pepper_version: number;
  sealed_secret: string | null;
  /** The secret before the last rotation, while it is still accepted (SEC-8): all three are set, or none. */
  previous_verifier: Uint8Array | null;
  previous_pepper_version: number | null;
  previous_expires_at: number | null;
  scopes: string[] | null;
  toolkit: string | null;
  actor: string | null;
  expires_at: number | null;
  revoked_at: number | null;
  /** The OAuth client that holds the token, and the grant that it belongs to. */
  client_id?: string | null | undefined;
  grant_id?: string | null | undefined;
  /** RFC 8707: the only gateway path where the token is accepted; null means all. */
  resource_path?: string | null | undefined;
  /** AZ-7: the server of that path when the person consented; null if there was none. */
  server_id?: string | null | undefined;
  created_at: number;
}

export type ConnectionKind = "oauth" | "api_key";
export type ConnectionState = "connected" | "reconnect_needed";

/** A user's own access to a server. */
export interface ConnectionRow {
  id: string;
  user_id: string;
  server_id: string;
  kind: ConnectionKind;
  state: ConnectionState;
  sealed_credential: string;
  /** Incremented by each write. */
  version: number;
  /** When the user connected; renewals do not change it. */
  connected_at: number;
  /** When the credential expires; null if unknown. */
  expires_at: number | null;
  /** The granted scopes; null if unknown. */
  scopes: string[] | null;
  /** Further scopes that the server requested, for the next authorization. */
  needed_scopes: string[] | null;
  /** OA-4: the issuer of the credential and the resource it is for. It is sent nowhere else. */
  issuer: string | null;
  resource: string | null;
  /** The reason why the user must reconnect. */
  last_error: string | null;
  created_at: number;
  updated_at: number;
}

export interface InvitationRow {
  user_id: string;
  token_hash: string;
  /** The actor's id. */
  created_by: string;
  /** The actor's name. Null: unknown. */
  creator_name: string | null;
  /** Whether accepting it resets an account that was in use. */
  resets_account: boolean;
  /** Whether creating it required the scope `all`. */
  required_all: boolean;
  /** The person who is responsible. Null: the operator. */
  responsible_id: string | null;
  created_at: number;
  expires_at: number;
  accepted_at: number | null;
}

export interface ApiTokenRow {
  id: string;
  name: string;
  token_hash: string;
  /** The first part of the token, which is not secret. Null: unknown. */
  prefix: string | null;
  scopes: string[];
  expires_at: number | null;
  last_used_at: number | null;
  /** The name of the actor. Null: unknown, or created at the first start. */
  created_by: string | null;
  /** The actor's id. Null as for the name. */
  creator_id?: string | null | undefined;
  /** The person who is responsible: the creator, or the one responsible for the creating token. Null: the operator. */
  responsible_id?: string | null | undefined;
  created_at: number;
}

/** A server that a group has, and which of its tools the group grants. */
export interface GroupServerRow {
  group_id: string;
  server_id: string;
  /** `all`, or a rule of `lib/tool-selection.ts` with `tool_names`. */
  tool_rule: "all" | "only" | "except";
  tool_names: string[];
  /** When the tools were selected. Tools that the server added since are new to the group. */
  selected_at: number | null;
}

type GroupServerTable = Pick<GroupServerRow, "group_id" | "server_id"> & {
  tool_rule: Generated<GroupServerRow["tool_rule"]>;
  tool_names: Generated<string[]>;
  selected_at: Generated<number | null>;
};

export interface UserTables {
  groups: NewGroupRow & { [Name in keyof CallLimitColumns]: Generated<number | null> };
  users: Omit<UserRow, "suspended" | "disabled_by_admin"> & {
    suspended: Generated<boolean>;
    disabled_by_admin: Generated<boolean>;
  };
  user_owners: { user_id: string; owner_id: string };
  group_servers: GroupServerTable;
  group_users: { group_id: string; user_id: string };
  credentials: CredentialRow;
  connections: Omit<ConnectionRow, "version" | "connected_at"> & {
    version: Generated<number>;
    connected_at: Generated<number>;
  };
  invitations: InvitationRow;
  api_tokens: ApiTokenRow;
}
