import { buildListing, type ListedItem, type Listing } from "#gateway/snapshot/listing";
import type {
  CredentialEntry,
  GroupEntry,
  NamedItem,
  PreviousSecretEntry,
  ServerEntry,
  UpstreamEntry,
  UserEntry,
} from "#gateway/snapshot/shape";
import { capabilityMask } from "#lib/gating-capabilities";
import { compileCallLimits, compileServerLimits } from "./compile-limits.ts";
import { compileHeld, compileResources } from "./compile-resources.ts";
import { compileWarnings } from "./compile-warnings.ts";
import { paramHeadersOf } from "./param-headers.ts";
import type {
  PublishedCredential,
  PublishedGroup,
  PublishedServer,
  PublishedTool,
  PublishedUser,
} from "./published-records.ts";

/**
 * Returns an equal text that is already in memory, or the text itself. 100,000 users refer to a few hundred groups, so
 * their entries share the groups' IDs instead of holding copies.
 */
export type Share = (text: string) => string;

/** Opens the shared headers of a server. */
export type OpenSharedHeaders = (row: PublishedServer) => readonly string[];

export function compileServer(
  row: PublishedServer,
  shareGroupId: Share,
  openSharedHeaders?: OpenSharedHeaders,
): ServerEntry {
  const upstream = compileUpstream(row, openSharedHeaders);
  // AZ-2: tools that cannot be called are not listed, so a server without an upstream lists nothing.
  const tools = upstream ? row.tools.toSorted(byPosition) : [];
  const items = upstream ? row.items : [];
  return {
    kind: "server",
    key: row.slug,
    id: row.id,
    slug: row.slug,
    name: row.name,
    active: row.status === "active",
    groupIds: new Set(row.groupIds.map(shareGroupId)),
    upstream,
    limits: compileServerLimits(row.limits),
    synced: row.tools_synced_at !== null,
    warnings: compileWarnings(row),
    tools: compileNamed("tools", row.slug, tools),
    prompts: compileNamed(
      "prompts",
      row.slug,
      items.filter((item) => item.kind === "prompt"),
    ),
    ...compileResources(items),
    ...compileHeld(row.heldItems),
    ...compileInstructions(row),
    ...(row.result_limit_bytes && { resultLimitBytes: row.result_limit_bytes }),
    ...gateOf(tools),
  };
}

/** Rows of a snapshot that an earlier release stored have no such member. */
function maskOf({ required_capabilities: names = [] }: Partial<PublishedTool>): number {
  return capabilityMask(names);
}

function gateOf(tools: readonly PublishedTool[]): Pick<ServerEntry, "gatedBy"> {
  const gatedBy = tools.reduce((mask, tool) => mask | maskOf(tool), 0);
  return gatedBy === 0 ? {} : { gatedBy };
}

function compileInstructions({ items, pass_instructions }: PublishedServer): Pick<ServerEntry, "instructions"> {
  const item = pass_instructions === false ? undefined : items.find(({ kind }) => kind === "instructions");
  // Written by the sync.
  const { text = "", omitted = 0 } = item ? (JSON.parse(item.definition) as { text?: string; omitted?: number }) : {};
  return text === "" ? {} : { instructions: { text, omitted } };
}

export function compileGroup(row: PublishedGroup): GroupEntry {
  const limits = compileCallLimits(row);
  return {
    id: row.id,
    showDrafts: row.show_draft_mcps,
    serverIds: row.serverIds.toSorted(),
    ...(row.selections && { selections: row.selections }),
    ...(limits && { limits: { ...limits, groupName: row.name } }),
  };
}

export function compileUser(row: PublishedUser, shareGroupId: Share): UserEntry {
  return {
    id: row.id,
    email: row.email,
    isMachine: row.is_machine_user,
    disabled: row.disabled,
    groupIds: row.groupIds.map(shareGroupId).sort(),
    ...(row.toolkit && { toolkit: row.toolkit }),
  };
}

export function compileCredential(row: PublishedCredential, shareUserId: Share): CredentialEntry {
  return {
    id: row.id,
    kind: row.kind,
    userId: shareUserId(row.user_id),
    verifier: Buffer.from(row.verifier).toString("base64"),
    pepperVersion: row.pepper_version,
    expiresAt: row.expires_at ?? undefined,
    clientId: row.client_id ?? undefined,
    path: row.resource_path ?? undefined,
    serverId: row.server_id ?? undefined,
    ...(row.toolkit && { toolkit: row.toolkit }),
    previous: compilePreviousSecret(row),
  };
}

function compilePreviousSecret(row: PublishedCredential): PreviousSecretEntry | undefined {
  const { previous_verifier: verifier, previous_pepper_version: pepperVersion, previous_expires_at: expiresAt } = row;
  if (verifier === null || pepperVersion === null || expiresAt === null) return undefined;
  return { verifier: Buffer.from(verifier).toString("base64"), pepperVersion, expiresAt };
}

function compileUpstream(row: PublishedServer, openSharedHeaders?: OpenSharedHeaders): UpstreamEntry | undefined {
  if (row.upstream_url === null) return undefined;
  const headers = row.auth_type === "none" ? openSharedHeaders?.(row) : undefined;
  return {
    url: row.upstream_url,
    transport: row.is_local ? "stdio" : (row.upstream_transport ?? "both"), // D3
    authType: row.auth_type,
    ...(headers && headers.length > 0 ? { headers } : {}),
    eras: row.eras,
  };
}

function byPosition(a: PublishedTool, b: PublishedTool): number {
  return a.position - b.position || (a.slug < b.slug ? -1 : 1);
}

type CompiledItem = Pick<PublishedTool, "slug" | "upstream_name" | "definition"> &
  Partial<Pick<PublishedTool, "required_capabilities" | "calls_per_minute" | "concurrent_calls">>;
type NamedFields = Omit<NamedItem, keyof ListedItem>;

/** D28: tools are found by slug, and by the full upstream name if it differs. */
function compileNamed(
  kind: "tools" | "prompts",
  serverSlug: string,
  rows: readonly CompiledItem[],
): Listing<NamedItem> {
  const definitions = rows.map((row) => ({
    identifier: `${serverSlug}__${row.slug}`,
    definition: row.definition,
    fields: namedFields(row),
  }));
  return buildListing<NamedFields>(kind, definitions, ({ slug, upstreamName }) =>
    slug === upstreamName ? [slug] : [slug, upstreamName],
  );
}

function namedFields(row: CompiledItem): NamedFields {
  const { slug, upstream_name: upstreamName } = row;
  const paramHeaders = paramHeadersOf(row.definition);
  const requires = maskOf(row);
  const limits = compileCallLimits(row);
  return {
    slug,
    upstreamName: upstreamName === slug ? slug : upstreamName,
    ...(requires !== 0 && { requires }),
    ...(paramHeaders && { paramHeaders }),
    ...(limits && { limits }),
  };
}
