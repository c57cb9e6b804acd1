/**
 * The whole world as a tool call sees it: immutable, complete in itself, swapped whole. `publish/` makes it from the
 * records; the gateway only reads it.
 */

import type { TemplateParts } from "#lib/uri-template";
import type { Limits, ServerLimits } from "./limits.ts";
import type { ShardedMap } from "./sharded-map.ts";

export type Era = "modern" | "legacy";

export interface Snapshot {
  readonly revision: number;
  readonly limits: Limits;
  readonly serversById: ShardedMap<ServerEntry>;
  readonly serverIdBySlug: ShardedMap<string>;
  readonly groups: ReadonlyMap<string, GroupEntry>;
  readonly usersById: ShardedMap<UserEntry>;
  /** Keyed by access key. */
  readonly credentials: ShardedMap<CredentialEntry>;
}

export interface ServerEntry {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly active: boolean;
  /** Ids of the groups that hold this server. */
  readonly groupIds: ReadonlySet<string>;
  /** Absent: needs set-up, nothing can be called. */
  readonly upstream: UpstreamEntry | undefined;
  /** What an admin set for this server; the rest is as for all. */
  readonly limits?: Partial<ServerLimits> | undefined;
  /** False until the first successful sync of its tools. */
  readonly synced: boolean;
  /** What callers are told beside its lists when something is wrong with it: JSON texts joined by commas, mostly none. */
  readonly warnings: string;
  /** Enabled tools by the part after `__`; the full upstream name is a key too where it differs (D28). */
  readonly tools: ReadonlyMap<string, ToolEntry>;
  /** How many enabled tools there are: `tools` may hold one under two keys. */
  readonly toolCount: number;
  /** The enabled tools' definitions, serialized with their prefixed names and joined by commas; empty when none. */
  readonly toolsFragment: Buffer;
  /** By name, as `tools`. */
  readonly prompts: Listing<ToolEntry>;
  /** By the upstream's own address. */
  readonly resources: Listing<ResourceEntry>;
  /** By the upstream's own template. */
  readonly resourceTemplates: Listing<TemplateEntry>;
}

/** What a server lists of one kind beside its tools. */
export interface Listing<Entry> {
  readonly byKey: ReadonlyMap<string, Entry>;
  readonly count: number;
  /** The definitions, serialized and joined by commas; empty when none. */
  readonly fragment: Buffer;
}

export interface UpstreamEntry {
  readonly url: string;
  /** `stdio`: a process beside us; its `url` only names it. */
  readonly transport: "http" | "sse" | "both" | "stdio";
  readonly authType: "none" | "proxy-oauth" | "proxy-api-key";
  /** Which eras it is known to speak; empty: not known yet. */
  readonly eras: readonly Era[];
}

/** A tool or a prompt. */
export interface ToolEntry {
  readonly upstreamName: string;
  readonly slug: string;
  /** Absent for nearly all tools. */
  readonly paramHeaders?: readonly ParamHeader[];
}

/** An argument that modern callers repeat in a header (`x-mcp-header` of a tool's schema). */
export interface ParamHeader {
  /** In lower case: `mcp-param-…`. */
  readonly header: string;
  /** Where in the arguments it stands. */
  readonly path: readonly string[];
}

export interface ResourceEntry {
  /** The upstream's address or template. */
  readonly uri: string;
  /** Where its definition stands in the fragment, and where what follows the address begins. */
  readonly start: number;
  readonly rest: number;
  readonly end: number;
}

export interface TemplateEntry extends ResourceEntry {
  readonly parts: TemplateParts;
}

export interface GroupEntry {
  readonly id: string;
  readonly showDrafts: boolean;
  readonly serverIds: readonly string[];
}

export interface UserEntry {
  readonly id: string;
  readonly email: string;
  readonly isMachine: boolean;
  readonly disabled: boolean;
  /** May name groups that are gone: a reader must find the group in `groups` before it believes in it. */
  readonly groupIds: readonly string[];
}

/** What proves a secret without holding it. */
export interface SecretEntry {
  /** HMAC-SHA-256 of the secret under the pepper of `pepperVersion`, in base64: as text it owns no buffer. */
  readonly verifier: string;
  readonly pepperVersion: number;
}

export interface CredentialEntry extends SecretEntry {
  readonly id: string;
  readonly kind: "machine_key" | "oauth" | "exchange" | "agent" | "app";
  readonly userId: string;
  readonly expiresAt: number | undefined;
  /** The OAuth client that holds it; machine keys have none. */
  readonly clientId?: string | undefined;
  /** RFC 8707: the only path of the gateway at which it counts; absent: at all. */
  readonly path?: string | undefined;
  /** The secret before the last rotation. It ends by the clock: no change tells of it (SEC-8). */
  readonly previous: PreviousSecretEntry | undefined;
}

export interface PreviousSecretEntry extends SecretEntry {
  readonly expiresAt: number;
}
