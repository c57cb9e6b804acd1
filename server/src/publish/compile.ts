import type {
  CredentialEntry,
  GroupEntry,
  Listing,
  PreviousSecretEntry,
  ServerEntry,
  ToolEntry,
  UpstreamEntry,
  UserEntry,
} from "#gateway/snapshot/shape";
import { compileServerLimits } from "./compile-limits.ts";
import { compileResources, NOTHING } from "./compile-resources.ts";
import { compileWarnings } from "./compile-warnings.ts";
import { paramHeadersOf } from "./param-headers.ts";
import type {
  PublishedCredential,
  PublishedGroup,
  PublishedItem,
  PublishedServer,
  PublishedTool,
  PublishedUser,
} from "./published-records.ts";

/**
 * An equal text that is already kept somewhere, or the text itself. 100,000 users name few hundred groups, so their
 * entries share the groups' ids instead of holding copies.
 */
export type Share = (text: string) => string;

const NO_FRAGMENT = Buffer.alloc(0);

export function compileServer(row: PublishedServer, shareGroupId: Share): ServerEntry {
  const upstream = compileUpstream(row);
  // AZ-2: what cannot be called is not listed, so a server without an upstream has nothing.
  const tools = upstream ? row.tools.toSorted(byPosition) : [];
  const items = upstream ? row.items : [];
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    active: row.status === "active",
    groupIds: new Set(row.groupIds.map(shareGroupId)),
    upstream,
    limits: compileServerLimits(row.limits),
    synced: row.tools_synced_at !== null,
    warnings: compileWarnings(row),
    tools: compileNames(tools),
    toolCount: tools.length,
    toolsFragment: compileFragment(row.slug, tools),
    prompts: compilePrompts(row.slug, items),
    ...compileResources(items),
  };
}

export function compileGroup(row: PublishedGroup): GroupEntry {
  return { id: row.id, showDrafts: row.show_draft_mcps, serverIds: row.serverIds.toSorted() };
}

export function compileUser(row: PublishedUser, shareGroupId: Share): UserEntry {
  return {
    id: row.id,
    email: row.email,
    isMachine: row.is_machine_user,
    disabled: row.disabled,
    groupIds: row.groupIds.map(shareGroupId).sort(),
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
    previous: compilePreviousSecret(row),
  };
}

function compilePreviousSecret(row: PublishedCredential): PreviousSecretEntry | undefined {
  const { previous_verifier: verifier, previous_pepper_version: pepperVersion, previous_expires_at: expiresAt } = row;
  if (verifier === null || pepperVersion === null || expiresAt === null) return undefined;
  return { verifier: Buffer.from(verifier).toString("base64"), pepperVersion, expiresAt };
}

function compileUpstream(row: PublishedServer): UpstreamEntry | undefined {
  if (row.upstream_url === null) return undefined;
  return {
    url: row.upstream_url,
    transport: row.is_local ? "stdio" : (row.upstream_transport ?? "both"), // D3
    authType: row.auth_type,
    eras: row.eras,
  };
}

function byPosition(a: PublishedTool, b: PublishedTool): number {
  return a.position - b.position || (a.slug < b.slug ? -1 : 1);
}

type Named = Pick<PublishedTool, "slug" | "upstream_name" | "definition">;

function compilePrompts(serverSlug: string, items: readonly PublishedItem[]): Listing<ToolEntry> {
  const prompts = items.filter((item) => item.kind === "prompt");
  if (prompts.length === 0) return NOTHING;
  return { byKey: compileNames(prompts), count: prompts.length, fragment: compileFragment(serverSlug, prompts) };
}

/** D28: by slug, and by the full upstream name too, which never hides another one's slug. */
function compileNames(tools: readonly Named[]): ReadonlyMap<string, ToolEntry> {
  const entries = new Map<string, ToolEntry>();
  for (const { slug, upstream_name, definition } of tools) {
    const entry = { slug, upstreamName: upstream_name === slug ? slug : upstream_name };
    const paramHeaders = paramHeadersOf(definition);
    entries.set(slug, paramHeaders ? { ...entry, paramHeaders } : entry);
  }
  for (const entry of [...entries.values()]) {
    if (!entries.has(entry.upstreamName)) entries.set(entry.upstreamName, entry);
  }
  return entries;
}

function compileFragment(serverSlug: string, tools: readonly Named[]): Buffer {
  if (tools.length === 0) return NO_FRAGMENT;
  const text = tools.map((tool) => namedDefinition(`${serverSlug}__${tool.slug}`, tool.definition)).join(",");
  // A buffer of its own: a small one from Node's pool would keep 64 KiB of short-lived neighbours alive with it.
  const fragment = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  fragment.write(text);
  return fragment;
}

/** The stored definition is an object without a name (D28): the gateway's name becomes its first member. */
function namedDefinition(name: string, definition: string): string {
  const members = definition.trim().slice(1).trimStart();
  return `{"name":${JSON.stringify(name)}${members === "}" ? "" : ","}${members}`;
}
