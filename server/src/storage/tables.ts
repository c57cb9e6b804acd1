import type { ColumnType, Generated } from "kysely";
import type { OAuthServerTables } from "./oauth-server-tables.ts";
import type { DiscoveredOAuth, OAuthClientRow, OAuthFlowRow } from "./oauth-tables.ts";
import type { SessionTables } from "./session-tables.ts";
import type { Role, SignInTables } from "./sign-in-tables.ts";

/** The rows of every table, as stores see them: the drivers have mapped booleans, JSON and 64-bit integers already. */

export type Era = "modern" | "legacy";
export type ServerStatus = "active" | "draft";
export type AuthType = "none" | "proxy-oauth" | "proxy-api-key";
export type UpstreamTransport = "http" | "sse" | "both";
/** `connection` is named by `connectionKey`: whoever looked for one in vain must hear that there is one now. */
/** GW-17: what happens when an upstream changes what its tools say of themselves. */
export type ToolPolicy = "allow" | "warn" | "hold";
export type ChangeKind = "server" | "group" | "user" | "credential" | "connection" | "settings" | "session";

/** D6: what an admin may say about authentication, without its secret. */
export interface StoredAuthSettings {
  clientId?: string;
  authUrl?: string;
  tokenUrl?: string;
  registrationUrl?: string;
  issuer?: string;
  resource?: string;
  headerName?: string;
  headerPrefix?: string;
  client?: { scope?: string };
  howtoMarkdown?: string;
}

/** What an admin set for one server; the rest is as the settings have it. */
export interface StoredServerLimits {
  concurrent_calls?: number;
  queued_calls?: number;
  queue_seconds?: number;
  failures_until_pause?: number;
  pause_seconds?: number;
  first_byte_seconds?: number;
  idle_seconds?: number;
  total_seconds?: number;
}

export interface McpServerRow {
  id: string;
  slug: string;
  name: string;
  description: string;
  search_text: string;
  status: ServerStatus;
  connector_id: string | null;
  upstream_url: string | null;
  upstream_transport: UpstreamTransport | null;
  auth_type: AuthType;
  auth_settings: StoredAuthSettings;
  sealed_client_secret: string | null;
  is_local: boolean;
  limits?: StoredServerLimits | null | undefined;
  eras: Era[];
  sync_tried_at: number | null;
  tools_synced_at: number | null;
  sync_error: string | null;
  tool_policy: ToolPolicy;
  /** With whose connection its lists are read by themselves, where it asks for one. */
  sync_user_id?: string | null | undefined;
  discovered_oauth?: DiscoveredOAuth | null | undefined;
  created_at: number;
  updated_at: number;
}

/** The store keeps the key beside the address; nobody else writes it. */
type McpServerTable = Omit<McpServerRow, "tool_policy"> & {
  tool_policy: Generated<ToolPolicy>;
  endpoint_key: ColumnType<string | null, string | null | undefined, string | null>;
};

/** A server of the public registry, made fit. */
export interface RegistryEntryRow {
  id: string;
  name: string;
  description: string;
  search_text: string;
  sort_key: Uint8Array;
  url: string;
  endpoint_key: string;
  transport: "http" | "sse";
  website: string | null;
  repo: string | null;
  official: boolean;
  auth_types: AuthType[];
  header_name: string | null;
  header_prefix: string | null;
}

export interface RegistryStateRow {
  registry_url: string;
  /** By the registry's clock. */
  read_up_to: number;
  read_whole_at: number;
}

export interface ServerToolRow {
  server_id: string;
  upstream_name: string;
  /** The part after `__` at the gateway (D28). */
  slug: string;
  title: string;
  description: string;
  /** Sanitized definition as JSON text, without its name: the gateway puts the prefixed name in front. */
  definition: string;
  position: number;
  enabled: boolean;
  /** False: known only because it was switched off; the upstream does not list it now. */
  listed: boolean;
  /** Of what the upstream lists now; empty: read by a release that pinned nothing (GW-17). */
  digest: string;
  /** Whether an admin has accepted it as it is; a first reading is accepted as a whole. */
  pin: "accepted" | "new" | "changed";
  /** Kept from callers until it is accepted. */
  held: boolean;
  /** What was accepted, of a changed tool; else null. */
  pinned_digest: string | null;
  pinned_definition: string | null;
  /** Code points in its definition that nobody can see. */
  unseen: string[];
  created_at: number;
  updated_at: number;
}

type ToolDefaults = Pick<ServerToolRow, "listed" | "digest" | "pin" | "held" | "unseen">;
type ServerToolTable = Omit<ServerToolRow, keyof ToolDefaults | "pinned_digest" | "pinned_definition"> & {
  [Name in keyof ToolDefaults]: Generated<ToolDefaults[Name]>;
} & { pinned_digest: Generated<string | null>; pinned_definition: Generated<string | null> };

export type ServerItemKind = "prompt" | "resource" | "resource_template";

/** What an upstream lists beside its tools. */
export interface ServerItemRow {
  server_id: string;
  kind: ServerItemKind;
  position: number;
  /** A prompt's name, a resource's address, a template's pattern. */
  upstream_name: string;
  /** Of a prompt, the part after `__` at the gateway (D28); else empty. */
  slug: string;
  /** Sanitized definition as JSON text, without its name or address: the gateway puts its own in front. */
  definition: string;
}

export interface GroupRow {
  id: string;
  name: string;
  name_key: string;
  auto_assign_users: boolean;
  auto_assign_mcps: boolean;
  show_draft_mcps: boolean;
  created_at: number;
  updated_at: number;
}

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
  created_at: number;
  updated_at: number;
}

export interface CredentialRow {
  id: string;
  kind: "machine_key" | "oauth" | "exchange" | "agent" | "app";
  user_id: string;
  access_key: string;
  verifier: Uint8Array;
  pepper_version: number;
  sealed_secret: string | null;
  /** The secret before the last rotation, while it may still be used (SEC-8): all three are set, or none. */
  previous_verifier: Uint8Array | null;
  previous_pepper_version: number | null;
  previous_expires_at: number | null;
  scopes: string[] | null;
  toolkit: string | null;
  actor: string | null;
  expires_at: number | null;
  revoked_at: number | null;
  /** The OAuth client that holds it, and the grant that it comes from. */
  client_id?: string | null | undefined;
  grant_id?: string | null | undefined;
  /** RFC 8707: the only path of the gateway at which it counts; null: at all. */
  resource_path?: string | null | undefined;
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
  /** Grows with each write. */
  version: number;
  /** When the user connected; renewals leave it as it is. */
  connected_at: number;
  /** When the credential ends; null: not known. */
  expires_at: number | null;
  /** What was granted; null: not known. */
  scopes: string[] | null;
  /** What the server asked for beyond that: for the next authorization. */
  needed_scopes: string[] | null;
  /** OA-4: who gave the credential, and for what; it goes nowhere else. */
  issuer: string | null;
  resource: string | null;
  /** Why the user must connect again, in words. */
  last_error: string | null;
  created_at: number;
  updated_at: number;
}

export interface InvitationRow {
  user_id: string;
  token_hash: string;
  /** The actor's id. */
  created_by: string;
  created_at: number;
  expires_at: number;
  accepted_at: number | null;
}

export interface ApiTokenRow {
  id: string;
  name: string;
  token_hash: string;
  scopes: string[];
  expires_at: number | null;
  last_used_at: number | null;
  created_at: number;
}

export interface AuditRow {
  id: string;
  at: number;
  actor_kind: string;
  actor_id: string;
  actor_name: string;
  operation: string;
  target_kind: string;
  target_id: string;
  target_name: string;
  before: object | null;
  after: object | null;
  request_id: string;
  /** The caller's address; null for what nobody called for. */
  ip: string | null;
}

export interface MainTables extends SignInTables, SessionTables, OAuthServerTables {
  change_counter: { id: number; revision: number };
  changes: { revision: number; kind: ChangeKind; target_id: string };
  audit: Omit<AuditRow, "ip"> & { ip: Generated<string | null> };
  idempotency: {
    actor_id: string;
    key_hash: string;
    operation: string;
    request_hash: string;
    status: number;
    answer: string;
    created_at: number;
  };
  vault_keys: {
    purpose: string;
    version: number;
    wrapping_key_id: string;
    wrapped_key: string;
    created_at: number;
  };
  leases: { name: string; holder: string; expires_at: number };
  settings: { name: string; value: object; updated_at: number };
  mcp_servers: McpServerTable;
  server_tools: ServerToolTable;
  server_items: ServerItemRow;
  groups: GroupRow;
  users: UserRow;
  user_owners: { user_id: string; owner_id: string };
  group_servers: { group_id: string; server_id: string };
  group_users: { group_id: string; user_id: string };
  credentials: CredentialRow;
  connections: Omit<ConnectionRow, "version" | "connected_at"> & {
    version: Generated<number>;
    connected_at: Generated<number>;
  };
  oauth_clients: OAuthClientRow;
  oauth_flows: OAuthFlowRow;
  connect_links: { token_hash: string; user_id: string; server_id: string; expires_at: number };
  invitations: InvitationRow;
  api_tokens: ApiTokenRow;
  registry_entries: RegistryEntryRow;
  registry_state: RegistryStateRow & { id: number };
}

export interface CallTables {
  log_names: { id: number; value: string };
  calls: {
    id: number;
    at: number;
    duration_us: number;
    outcome: number;
    method: number;
    user_id: number;
    user_email: number;
    server: number | null;
    tool: number | null;
    request_bytes: number;
    response_bytes: number;
    request_id: string;
    error: string | null;
    via: number | null;
    client: number | null;
    /** 1 once it is counted in `call_minutes`. */
    rolled_up: Generated<number>;
    forwarded_us: Generated<number | null>;
    trace_id: Generated<string | null>;
  };
  /** `id` is the request's. */
  call_payloads: { id: string; at: number; bytes: number; capture: string; sealed: string };
  call_minutes: {
    minute: number;
    server: number;
    tool: number;
    user_email: number;
    method: number;
    outcome: number;
    bucket: number;
    calls: number;
    duration_us: number;
  };
  spool_positions: { spool: string; position: number; updated_at: number };
  log_counters: { name: string; value: number };
}
