/** The report of a device, and the items in it. Device, service and app share these shapes. */

export const ITEM_KINDS = ["mcp_server", "skill"] as const;
/** The kinds of items that a policy decides about. */
export type ItemKind = (typeof ITEM_KINDS)[number];

export const TRANSPORTS = ["stdio", "http", "sse"] as const;
export type Transport = (typeof TRANSPORTS)[number];

export const SERVER_SCOPES = ["user", "project", "plugin", "managed", "extension"] as const;
export type ServerScope = (typeof SERVER_SCOPES)[number];

export const SKILL_SOURCES = ["user", "project", "plugin", "builtin", "managed"] as const;
export type SkillSource = (typeof SKILL_SOURCES)[number];

export const PLATFORMS = ["darwin", "linux", "win32"] as const;
export type Platform = (typeof PLATFORMS)[number];

export const PACKAGE_TYPES = ["npm", "pypi", "oci", "binary"] as const;
export type PackageType = (typeof PACKAGE_TYPES)[number];

export interface ServerPackage {
  readonly type: PackageType;
  readonly name: string;
  readonly version?: string;
}

/** An MCP server in a configuration file. Contains no secrets. */
export interface ReportedServer {
  readonly name: string;
  readonly client: string;
  readonly scope: ServerScope;
  readonly transport: Transport;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env_keys: readonly string[];
  readonly header_keys: readonly string[];
  readonly url?: string;
  readonly package?: ServerPackage;
  readonly enabled: boolean;
  readonly config_path: string;
  readonly project?: string;
  /** Whose configuration this is, on devices with several users. */
  readonly username?: string;
  readonly fingerprint: string;
  readonly config_hash: string;
  /** Enforcement removed it from its file and keeps it on the device, so that it can be restored. */
  readonly quarantined?: boolean;
}

export interface ReportedSkill {
  readonly name: string;
  readonly description: string;
  readonly client: string;
  readonly path: string;
  readonly files_count: number;
  readonly size_bytes: number;
  readonly digest: string;
  readonly has_scripts: boolean;
  readonly allowed_tools: string | null;
  readonly source: SkillSource;
  readonly issues: readonly string[];
  readonly project?: string;
  readonly username?: string;
  /** SKILL.md, only if the user passed `--include-content`. */
  readonly content?: string;
  /** Enforcement moved it away and keeps it on the device, so that it can be restored. */
  readonly quarantined?: boolean;
}

export const MEMORY_KINDS = ["instructions", "rules", "auto_memory"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

export interface ReportedMemory {
  readonly client: string;
  readonly kind: MemoryKind;
  readonly path: string;
  readonly scope: ServerScope;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly modified_at: string;
  readonly issues: readonly string[];
  readonly project?: string;
  readonly username?: string;
}

export const AGENT_KINDS = ["app", "cli", "extension", "subagent"] as const;
export type AgentKind = (typeof AGENT_KINDS)[number];

export interface ReportedAgent {
  readonly client: string;
  readonly kind: AgentKind;
  readonly name: string;
  readonly version: string | null;
  readonly path: string;
  readonly running: boolean | null;
  readonly username?: string;
}

export const SCAN_ERROR_CODES = [
  "parse_error",
  "too_large",
  "not_readable",
  "outside_home",
  "not_a_file",
  "too_many_entries",
  "symlink_loop",
] as const;
export type ScanErrorCode = (typeof SCAN_ERROR_CODES)[number];

/** A path that could not be read. Items from this path are unknown, not removed. */
export interface ReportedError {
  readonly path: string;
  readonly code: ScanErrorCode;
}

export const ENFORCEMENT_RESULTS = ["quarantined", "restored", "failed"] as const;
export type EnforcementOutcome = (typeof ENFORCEMENT_RESULTS)[number];

/** What enforcement did since the last report. One of `fingerprint` and `digest` is present. */
export interface ReportedEnforcement {
  readonly kind: ItemKind;
  readonly fingerprint?: string;
  readonly digest?: string;
  readonly client: string;
  readonly name: string;
  readonly path: string;
  readonly result: EnforcementOutcome;
  /** Why it failed. */
  readonly reason?: string;
  /** How often this item was quarantined on the device. */
  readonly count?: number;
  readonly at: string;
}

export interface ReportedDevice {
  readonly id: string;
  readonly hostname: string;
  readonly os: Platform;
  readonly os_version: string;
  readonly arch: string;
  readonly serial_hash: string | null;
  readonly is_wsl: boolean;
  readonly is_container: boolean;
  readonly users: readonly string[];
}

export interface Report {
  readonly schema_version: 1;
  readonly report_id: string;
  readonly scanned_at: string;
  /** How long the report was kept before it was sent, because the clock of the device can be wrong. */
  readonly age_seconds?: number;
  /** Instances of the device that a full report does not contain were removed. */
  readonly full: boolean;
  readonly agent: { readonly name: string; readonly version: string };
  readonly device: ReportedDevice;
  readonly user: { readonly username: string; readonly email: string | null };
  readonly mcp_servers: readonly ReportedServer[];
  readonly skills: readonly ReportedSkill[];
  readonly agent_memory: readonly ReportedMemory[];
  readonly agents: readonly ReportedAgent[];
  readonly errors: readonly ReportedError[];
  readonly enforcement?: readonly ReportedEnforcement[];
}
