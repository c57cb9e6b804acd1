import type { DiscoveryInstanceRow, DiscoveryKind } from "#storage/discovery-tables";
import type { ScanTime } from "./scan-time.ts";

/** An item of a report, checked and without secrets. */
export interface FoundItem {
  readonly kind: DiscoveryKind;
  /** Fingerprint, digest or id. */
  readonly key: string;
  /** The ID of the stored item. */
  readonly itemId: string;
  /** What all instances of the item have in common. */
  readonly facts: Record<string, unknown>;
  readonly transport: string | null;
  readonly url: string | undefined;
  readonly client: string;
  readonly name: string;
  readonly path: string;
  readonly scope: string;
  readonly username: string | undefined;
  readonly details: DiscoveryInstanceRow["details"];
  /** SKILL.md of a skill, without secrets. */
  readonly skillMd?: string | undefined;
  /** A text was sent, but it does not match the digest of the skill. */
  readonly hasWrongText?: boolean;
}

export interface Rejection {
  /** Such as `mcp_servers.3.name`. */
  readonly path: string;
  readonly reason: string;
}

/** The names of the lists of a report, as the contract spells them. */
export const LISTS = {
  mcp_server: "mcp_servers",
  skill: "skills",
  agent_memory: "agent_memory",
  agent: "agents",
} as const satisfies Record<DiscoveryKind, string>;

export type ListName = (typeof LISTS)[DiscoveryKind];

export interface EnforcementResult {
  readonly key: string;
  readonly client: string | undefined;
  readonly result: "quarantined" | "restored" | "failed";
  readonly reason: string | undefined;
}

/** A report, checked and without secrets. */
export interface CheckedReport extends ScanTime {
  readonly reportId: string;
  readonly full: boolean;
  readonly agent: { readonly name: string | null; readonly version: string | null };
  readonly device: {
    readonly id: string;
    readonly hostname: string;
    readonly os: string;
    readonly osVersion: string | null;
    readonly arch: string | null;
    readonly serialHash: string | null;
    readonly isWsl: boolean;
    readonly isContainer: boolean;
    readonly users: readonly string[];
  };
  readonly username: string | null;
  readonly email: string | null;
  readonly items: readonly FoundItem[];
  readonly accepted: Record<ListName, number>;
  readonly rejected: readonly Rejection[];
  readonly errors: readonly { readonly path: string; readonly code: string }[];
  readonly enforcement: readonly EnforcementResult[];
}
