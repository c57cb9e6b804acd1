import type { ColumnType, Generated } from "kysely";
import type { DiscoveredOAuth } from "./oauth-tables.ts";

/** The rows about servers, what they list, and the public registry of them. */

export type Era = "modern" | "legacy";
export type ServerStatus = "active" | "draft";
export type AuthType = "none" | "proxy-oauth" | "proxy-api-key";
export type UpstreamTransport = "http" | "sse" | "both";
/** GW-17: what happens when an upstream changes what its tools say of themselves. */
export type ToolPolicy = "allow" | "warn" | "hold";

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
  /** The values are in `sealed_shared_headers`. */
  sharedHeaderNames?: readonly string[];
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
  sealed_shared_headers?: string | null | undefined;
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
  /** Slug and title, folded and cut; empty: written by a release that did not search. */
  search_text: string;
  created_at: number;
  updated_at: number;
}

type ToolDefaults = Pick<ServerToolRow, "listed" | "digest" | "pin" | "held" | "unseen" | "search_text">;
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

export interface ServerTables {
  mcp_servers: McpServerTable;
  server_tools: ServerToolTable;
  server_items: ServerItemRow;
  registry_entries: RegistryEntryRow;
  registry_state: RegistryStateRow & { id: number };
}
