import { z } from "zod";
import { endpointKey, isWebUrl } from "#lib/web-url";
import { connectorSearchText, connectorSortKey } from "#records/connectors";
import type { RegistryEntryRow } from "#storage/server-tables";
import { readKeyHeader } from "./read-key-header.ts";
import { visibleLine } from "./visible-line.ts";

const REGISTRY_META = "io.modelcontextprotocol.registry/official";
const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 500;
const MAX_URL_LENGTH = 2_000;

/** Namespaces whose owner publishes other people's servers under its own domain. */
const HOSTING_NAMESPACES = new Set(["ai.smithery"]);

/** Only the fields in use are parsed. Invalid optional fields are ignored; only the name must be valid. */
const optionalText = z.string().nullish().catch(null);
const Remote = z.object({ type: z.string(), url: z.string(), headers: z.array(z.unknown()).nullish().catch(null) });
const Entry = z.object({
  server: z.object({
    name: z
      .string()
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    title: optionalText,
    description: optionalText,
    websiteUrl: optionalText,
    repository: z.object({ url: optionalText }).nullish().catch(null),
    remotes: z.array(z.unknown()).nullish().catch(null),
  }),
  _meta: z
    .object({
      [REGISTRY_META]: z
        .object({ status: optionalText, isLatest: z.boolean().nullish().catch(null), updatedAt: optionalText })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});
type RegistryServer = z.output<typeof Entry>["server"];

export type ParsedEntry =
  | { readonly kind: "entry"; readonly row: RegistryEntryRow; readonly updatedAt: number }
  /** Listed in the registry, but not usable as a connector. */
  | { readonly kind: "absent"; readonly id: string; readonly reason: string; readonly updatedAt: number }
  | { readonly kind: "skipped"; readonly reason: string };

/** Validates one entry and truncates its texts. */
export function readEntry(raw: unknown): ParsedEntry {
  const parsed = Entry.safeParse(raw);
  if (!parsed.success) return { kind: "skipped", reason: "unreadable" };
  const { server, _meta: meta } = parsed.data;
  const official = meta?.[REGISTRY_META];
  const id = server.name;
  if (official?.isLatest === false) return { kind: "skipped", reason: "old version" };
  const updatedAt = Date.parse(official?.updatedAt ?? "") || 0;
  const status = official?.status ?? "active";
  if (status !== "active") return { kind: "absent", id, reason: "deprecated or deleted", updatedAt };
  const remotes = (server.remotes ?? []).flatMap((remote) => Remote.safeParse(remote).data ?? []);
  if (remotes.length === 0) return { kind: "absent", id, reason: "no remote endpoint", updatedAt };
  const remote = bestRemote(remotes);
  if (!remote) return { kind: "absent", id, reason: "no usable URL", updatedAt };
  return { kind: "entry", row: rowOf(server, remote), updatedAt };
}

interface UsableRemote {
  readonly url: string;
  readonly key: string;
  readonly transport: "http" | "sse";
  readonly headers: readonly unknown[];
}

const TRANSPORTS = [
  ["streamable-http", "http"],
  ["sse", "sse"],
] as const;

/** Prefers streamable HTTP. URLs with variables in braces are skipped. */
function bestRemote(remotes: readonly z.output<typeof Remote>[]): UsableRemote | undefined {
  for (const [type, transport] of TRANSPORTS) {
    for (const { type: given, url, headers } of remotes) {
      if (given !== type || !isUsableUrl(url) || /[{}]/.test(url)) continue;
      const key = endpointKey(url);
      if (key !== null) return { url, key, transport, headers: headers ?? [] };
    }
  }
  return undefined;
}

function rowOf(server: RegistryServer, remote: UsableRemote): RegistryEntryRow {
  const id = server.name;
  const name =
    visibleLine(server.title, MAX_NAME_LENGTH) || id.slice(id.indexOf("/") + 1, id.indexOf("/") + 1 + MAX_NAME_LENGTH);
  const shown = { id, name, description: visibleLine(server.description, MAX_DESCRIPTION_LENGTH) };
  return {
    ...shown,
    search_text: connectorSearchText(shown),
    sort_key: connectorSortKey(shown),
    url: remote.url,
    endpoint_key: remote.key,
    transport: remote.transport,
    website: webUrlOrNull(server.websiteUrl),
    repo: webUrlOrNull(server.repository?.url),
    official: isOfficial(id, remote.url),
    ...readKeyHeader(remote.headers),
  };
}

/**
 * A namespace is a reversed domain, and only the domain's owner can publish under it, so a URL in that domain is
 * official. Under `io.github.<account>`, only the account is verified.
 */
function isOfficial(id: string, url: string): boolean {
  const namespace = id.slice(0, id.indexOf("/")).toLowerCase();
  const domain = namespace.split(".").reverse().join(".");
  if (HOSTING_NAMESPACES.has(namespace) || namespace.startsWith("io.github.") || !domain.includes(".")) return false;
  const { hostname } = new URL(url);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

function webUrlOrNull(url: string | null | undefined): string | null {
  return url && isUsableUrl(url) ? url : null;
}

function isUsableUrl(url: string): boolean {
  return url.length <= MAX_URL_LENGTH && url.isWellFormed() && isWebUrl(url);
}
