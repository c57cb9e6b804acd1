import type { ColumnType, Generated } from "kysely";
import type { GatingCapability } from "#lib/gating-capabilities";
import type { DiscoveredOAuth, OAuthChange } from "./oauth-tables.ts";

/** The rows of servers, their lists, and the public registry. */

export type Era = "modern" | "legacy";
export type ServerStatus = "active" | "draft";
export const AUTH_TYPES = ["none", "proxy-oauth", "proxy-api-key", "exchanged-token"] as const;
export type AuthType = (typeof AUTH_TYPES)[number];
export type UpstreamTransport = "http" | "sse" | "both";
/** GW-17: what happens when an upstream changes a tool definition. */
export type ToolPolicy = "allow" | "warn" | "hold";

/** D6: the authentication settings that an admin can make, without the secret. */
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

/** The limits that an admin set for one server; missing ones come from the organization settings. */
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
  /** The first failure since the last successful sync. */
  sync_failed_at?: number | null | undefined;
  tool_policy: ToolPolicy;
  /** Whether callers receive the server's instructions. */
  pass_instructions?: boolean | undefined;
  /** Longer texts of tool results are cut; null: never. */
  result_limit_bytes?: number | null | undefined;
  /** The user whose connection is used for automatic syncs, if the server needs one. */
  sync_user_id?: string | null | undefined;
  /** Pinned: an admin saw the authorization server and the resource, or they were the first that the server named. */
  discovered_oauth?: DiscoveredOAuth | null | undefined;
  oauth_change?: OAuthChange | null | undefined;
  created_at: number;
  updated_at: number;
}

/** Only the store writes the endpoint key, together with the URL. */
type McpServerTable = Omit<McpServerRow, "tool_policy" | "pass_instructions"> & {
  tool_policy: Generated<ToolPolicy>;
  pass_instructions: Generated<boolean>;
  endpoint_key: ColumnType<string | null, string | null | undefined, string | null>;
};

/** Contains nothing that the guard found. */
export interface BlockedBy {
  guard_slug: string;
  guard_name: string;
  check: string;
}

export interface ServerToolRow {
  server_id: string;
  upstream_name: string;
  /** The part after `__` at the gateway (D28). */
  slug: string;
  title: string;
  description: string;
  /** Sanitized definition as JSON text, without its name: the gateway adds the prefixed name. */
  definition: string;
  position: number;
  enabled: boolean;
  /** False: kept only because it was disabled; the upstream does not list it now. */
  listed: boolean;
  /** Digest of the current definition; empty if synced by a release without pins (GW-17). */
  digest: string;
  /** Whether an admin has accepted the current definition; the tools of the first sync are accepted automatically. */
  pin: "accepted" | "new" | "changed";
  /** Hidden from callers until it is accepted. */
  held: boolean;
  /** For a changed tool, the accepted definition's digest; otherwise null. */
  pinned_digest: string | null;
  pinned_definition: string | null;
  /** Digest of a definition that an admin rejected, until the upstream lists another one. */
  rejected_digest: string | null;
  /** The build-time guard that holds the definition, and its check. */
  blocked_by: BlockedBy | null;
  /** Digest of the guards that evaluated the definition; null: it must be evaluated at the next sync. */
  guards_key: string | null;
  /** Digest of the definition that an admin accepted in a review; guards do not hold it. */
  reviewed_digest: string | null;
  /** Invisible code points in the definition. */
  unseen: string[];
  /** Client capabilities without which the upstream does not list the tool; empty for most tools. */
  required_capabilities: GatingCapability[];
  /** Slug and title, folded and truncated; empty if written by a release without search. */
  search_text: string;
  created_at: number;
  updated_at: number;
}

type ToolDefaults = Pick<
  ServerToolRow,
  "listed" | "digest" | "pin" | "held" | "unseen" | "required_capabilities" | "search_text"
>;
/** Null unless given. */
type ReviewColumns = Pick<
  ServerToolRow,
  "pinned_digest" | "pinned_definition" | "rejected_digest" | "blocked_by" | "guards_key" | "reviewed_digest"
>;
type ServerToolTable = Omit<ServerToolRow, keyof ToolDefaults | keyof ReviewColumns> & {
  [Name in keyof ToolDefaults]: Generated<ToolDefaults[Name]>;
} & { [Name in keyof ReviewColumns]: Generated<ReviewColumns[Name]> };

export type ServerItemKind = "prompt" | "resource" | "resource_template" | "instructions";

/** An item other than a tool that an upstream lists. */
export interface ServerItemRow {
  server_id: string;
  kind: ServerItemKind;
  position: number;
  /** The name of a prompt, the URI of a resource, or the URI template; `instructions` for the text itself. */
  upstream_name: string;
  /** For a prompt, the part after `__` at the gateway (D28); otherwise empty. */
  slug: string;
  /** Sanitized definition as JSON text, without its name or URI: the gateway adds its own. */
  definition: string;
  /** Like those of a tool (GW-17). */
  digest: string;
  pin: ServerToolRow["pin"];
  held: boolean;
  pinned_digest: string | null;
  pinned_definition: string | null;
  rejected_digest: string | null;
  blocked_by: BlockedBy | null;
  guards_key: string | null;
  reviewed_digest: string | null;
  unseen: string[];
}

type ItemDefaults = Pick<ServerItemRow, "digest" | "pin" | "held" | "unseen">;
type ServerItemTable = Omit<ServerItemRow, keyof ItemDefaults | keyof ReviewColumns> & {
  [Name in keyof ItemDefaults]: Generated<ItemDefaults[Name]>;
} & { [Name in keyof ReviewColumns]: Generated<ReviewColumns[Name]> };

/** A sanitized entry of the public registry. */
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
  auth_types: Exclude<AuthType, "exchanged-token">[];
  header_name: string | null;
  header_prefix: string | null;
}

export interface RegistryStateRow {
  registry_url: string;
  /** In the registry's time. */
  read_up_to: number;
  read_whole_at: number;
}

export interface ServerTables {
  mcp_servers: McpServerTable;
  server_tools: ServerToolTable;
  server_items: ServerItemTable;
  registry_entries: RegistryEntryRow;
  registry_state: RegistryStateRow & { id: number };
}
