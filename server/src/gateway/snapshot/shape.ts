/** Everything a call depends on, as one immutable object. `publish/` builds it from the records; the gateway reads it. */

import type { GuardDefinition } from "#guards/definition";
import type { CallGuardAction } from "#lib/call-vocabulary";
import type { CapabilityMask } from "#lib/gating-capabilities";
import type { ByteSource } from "#lib/json/byte-source";
import type { Member, Range } from "#lib/json/scan";
import type { Edit } from "#lib/json/splice";
import type { ToolSelection } from "#lib/tool-selection";
import type { TemplateParts } from "#lib/uri-template";
import type { Commands } from "./commands.ts";
import type { CallLimits, Limits, ServerLimits } from "./limits.ts";
import type { ListedItem, Listing } from "./listing.ts";
import type { ShardedMap } from "./sharded-map.ts";
import type { Skills } from "./skills.ts";
import type { ArgumentChanges, Toolkits } from "./toolkits.ts";

export type Era = "modern" | "legacy";

export interface Snapshot {
  readonly revision: number;
  readonly limits: Limits;
  readonly serversById: ShardedMap<ServerEntry>;
  readonly serverIdBySlug: ShardedMap<string>;
  readonly ownSources: readonly OwnSource[];
  /** All guards by ID; the enabled ones are compiled into `checks`. */
  readonly guards: ReadonlyMap<string, GuardDefinition>;
  readonly checks: CallChecks;
  readonly groups: ReadonlyMap<string, GroupEntry>;
  readonly toolkits: Toolkits;
  readonly skills: Skills;
  readonly commands: Commands;
  readonly usersById: ShardedMap<UserEntry>;
  /** Keyed by access key. */
  readonly credentials: ShardedMap<CredentialEntry>;
}

/** Where items in a view come from. */
interface ListedSource {
  /** Unique among all sources. Views are ordered by it, and cursors name the last source that was listed. */
  readonly key: string;
  readonly active: boolean;
  /** Ids of the groups that have this source. */
  readonly groupIds: ReadonlySet<string>;
  /** JSON texts for the `_meta` of lists, joined by commas, that describe problems of this source. Usually empty. */
  readonly warnings: string;
  readonly tools: Listing<NamedItem>;
  readonly prompts: Listing<NamedItem>;
  /** By the upstream's URI. */
  readonly resources: Listing<ResourceItem>;
  /** By the upstream's URI template. */
  readonly resourceTemplates: Listing<TemplateItem>;
}

export type Source = ServerEntry | OwnSource;

/** Its key is its slug. Tools and prompts are keyed by the part after `__`, and by the upstream name if it differs (D28). */
export interface ServerEntry extends ListedSource {
  readonly kind: "server";
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  /** Undefined if the server needs setup, and nothing can be called. */
  readonly upstream: UpstreamEntry | undefined;
  /** Limits set for this server; the organization's apply to the rest. */
  readonly limits?: Partial<ServerLimits> | undefined;
  /** False until the first successful sync. */
  readonly synced: boolean;
  /** The capabilities that any of its tools requires; absent for most servers. */
  readonly gatedBy?: CapabilityMask;
  /** Resources that wait for review, which no user can read; absent for most servers. */
  readonly held?: HeldResources;
  /** The server's text for models; absent: none, or an admin turned it off. */
  readonly instructions?: ServerInstructions;
  /** F20: longer texts of tool results are cut. */
  readonly resultLimitBytes?: number;
}

export interface HeldResources {
  readonly uris: ReadonlySet<string>;
  readonly templates: readonly TemplateParts[];
}

export interface ServerInstructions {
  readonly text: string;
  /** The number of characters at the end that are too many to store. */
  readonly omitted: number;
}

/** Content that the gateway serves itself. Items are keyed by their full names and URIs. */
export interface OwnSource extends ListedSource {
  readonly kind: "own";
  /** Selects the answer in `gateway/own`. */
  readonly content: string;
}

export interface UpstreamEntry {
  readonly url: string;
  /** `stdio`: a local child process; `url` is only its name. */
  readonly transport: "http" | "sse" | "both" | "stdio";
  readonly authType: "none" | "proxy-oauth" | "proxy-api-key" | "exchanged-token";
  /** The shared credential: headers of every request, as a flat list of names and values. Absent: none. */
  readonly headers?: readonly string[];
  /** The protocol eras it supports; empty if not known yet. */
  readonly eras: readonly Era[];
}

/** A tool or a prompt. */
export interface NamedItem extends ListedItem {
  readonly upstreamName: string;
  readonly slug: string;
  /** The client capabilities that a caller must declare; absent for most tools. */
  readonly requires?: CapabilityMask;
  /** Absent for most tools. */
  readonly paramHeaders?: readonly ParamHeader[];
  /** Changes that the gateway makes to the arguments; absent: none. */
  readonly argumentChanges?: ArgumentChanges;
  /** For all callers together (F57); absent: none. */
  readonly limits?: CallLimits;
}

/** An argument that modern callers repeat in a header (`x-mcp-header` of a tool's schema). */
export interface ParamHeader {
  /** Lowercase: `mcp-param-…`. */
  readonly header: string;
  /** Path of the argument within the arguments. */
  readonly path: readonly string[];
}

export interface ResourceItem extends ListedItem {
  /** The upstream's URI or URI template. */
  readonly uri: string;
}

export interface TemplateItem extends ResourceItem {
  readonly parts: TemplateParts;
}

export interface GroupEntry {
  readonly id: string;
  readonly showDrafts: boolean;
  readonly serverIds: readonly string[];
  /** By server ID. A server without a selection is granted with all its tools. */
  readonly selections?: ReadonlyMap<string, ToolSelection>;
  /** For each member (F57); absent: none. */
  readonly limits?: GroupLimits;
}

export interface GroupLimits extends CallLimits {
  /** For the text of a refusal. */
  readonly groupName: string;
}

export interface UserEntry {
  readonly id: string;
  readonly email: string;
  readonly isMachine: boolean;
  readonly disabled: boolean;
  /** May contain ids of deleted groups; readers must look each one up in `groups`. */
  readonly groupIds: readonly string[];
  /** The slug of the only toolkit that a machine user can use; absent: not bound to one (F12). */
  readonly toolkit?: string;
}

/** Verifies a secret without containing it. */
export interface SecretEntry {
  /**
   * HMAC-SHA-256 of the secret with the pepper of `pepperVersion`, in base64. Text, because a Buffer costs more memory.
   */
  readonly verifier: string;
  readonly pepperVersion: number;
}

export interface CredentialEntry extends SecretEntry {
  readonly id: string;
  readonly kind: "machine_key" | "oauth" | "exchange" | "agent" | "app" | "library";
  readonly userId: string;
  readonly expiresAt: number | undefined;
  /** The OAuth client that holds it; machine keys have none. */
  readonly clientId?: string | undefined;
  /** RFC 8707: the only gateway path it is valid for, or `LIBRARY_PATH`; absent: all paths. */
  readonly path?: string | undefined;
  /** The server that the path meant when the person consented; absent: no server had its slug. */
  readonly serverId?: string | undefined;
  /** The only toolkit it can be used with; absent: not bound to one. */
  readonly toolkit?: string | undefined;
  /** The actor, if someone else acts on behalf of the user. */
  readonly actor?: string | undefined;
  /** The secret before the last rotation. It expires by the clock, without a published change (SEC-8). */
  readonly previous: PreviousSecretEntry | undefined;
}

export interface PreviousSecretEntry extends SecretEntry {
  readonly expiresAt: number;
}

/** Who calls what. */
export interface CheckTarget {
  readonly user: UserEntry;
  readonly server: ServerEntry;
  /** The tool or prompt, under its exposed name; undefined for resources. */
  readonly item: NamedItem | undefined;
}

/** A call as a check sees it. */
export interface CheckedCall extends CheckTarget {
  readonly requestId: string;
  readonly method: string;
  /** The upstream's name of the tool or prompt, or the URI of the resource. */
  readonly tool: string | undefined;
  /** The caller's message. */
  readonly source: ByteSource;
  /** Position of the arguments in the source. */
  readonly arguments: Range | undefined;
  /** The gateway's own edits of the source before it is sent. Checks cannot undo them. */
  readonly edits: readonly Edit[];
}

export interface CheckedResult {
  readonly source: ByteSource;
  /** Position of the result or the error in the source. */
  readonly result: Range;
  /** The members of the result; empty for an error. */
  readonly members: ReadonlyMap<string, Member>;
}

/** A text that the upstream sends before its response. */
export interface CheckedText {
  readonly source: ByteSource;
  /** Position of the JSON value in the source. */
  readonly range: Range;
}

/** How often a check of a guard found something. Contains nothing of the text. */
export interface LoggedFinding {
  readonly guard: string;
  readonly check: string;
  readonly direction: "request" | "response";
  readonly count: number;
}

/** What guards found in one payload, for the call log and for `_meta` of the result. */
export interface GuardReport {
  readonly action: CallGuardAction;
  /** Slug of the guard that decided; undefined if the payload was refused for all guards. */
  readonly slug: string | undefined;
  readonly direction: "request" | "response";
  /** How many texts were replaced. */
  readonly redactions: number;
  readonly findings: readonly LoggedFinding[];
  /** The approval that a call with `require_approval` waited for. */
  readonly approvalId?: string | undefined;
}

/** A guard that requires an approval, and which of its checks fired. */
export interface HoldingGuard {
  readonly slug: string;
  readonly name: string;
  /** For the caller; empty: none. */
  readonly message: string;
  readonly checks: readonly string[];
}

/** Undefined means no objection. Edits replace bytes of the source. */
export type Verdict =
  | undefined
  | { readonly kind: "edit"; readonly edits: readonly Edit[]; readonly report?: GuardReport }
  | { readonly kind: "block"; readonly message: string; readonly report?: GuardReport }
  /** Only for requests: the call continues with the edits when a person approves it. */
  | {
      readonly kind: "hold";
      readonly guard: HoldingGuard;
      readonly edits: readonly Edit[];
      readonly report: GuardReport;
    };

interface Check {
  /** Whether the check applies. Must be cheap, because every call pays for it. Absent: to all calls. */
  covers?(target: CheckTarget): boolean;
}

export interface RequestCheck extends Check {
  check(call: CheckedCall): Verdict | Promise<Verdict>;
}

export interface ResponseCheck extends Check {
  check(call: CheckedCall, result: CheckedResult): Verdict | Promise<Verdict>;
}

/** Sees progress and log messages of the upstream. A blocked one is not sent. */
export interface MessageCheck extends Check {
  check(call: CheckedCall, text: CheckedText): Verdict | Promise<Verdict>;
}

/** In execution order. Empty lists cost nothing per call. */
export interface CallChecks {
  readonly request: readonly RequestCheck[];
  readonly response: readonly ResponseCheck[];
  readonly message: readonly MessageCheck[];
}
