import { matchesTemplate } from "#lib/uri-template";
import type { Listing, ResourceEntry, ServerEntry, TemplateEntry } from "./shape.ts";

/**
 * D37: addresses stay the upstreams' own. Where two servers that a caller reaches have the same one, the first by slug
 * keeps it, and the others show it as `mcp+<slug>:<address>`, which is understood for any server at any time. Servers
 * come in the order of their slugs; who reaches them has been decided.
 */
const FOREIGN = /^mcp\+([a-z0-9-]+):(.*)$/s;

export interface FoundResource {
  readonly server: ServerEntry;
  /** As the upstream knows it. */
  readonly uri: string;
  /** The resource or template of the server's lists that it was found by. */
  readonly listed: string;
}

/** The exact address first, then templates. */
export function findResource(servers: readonly ServerEntry[], asked: string): FoundResource | undefined {
  const { among, uri } = meant(servers, asked);
  for (const server of among) {
    if (server.resources.byKey.has(uri)) return { server, uri, listed: uri };
  }
  for (const server of among) {
    for (const template of server.resourceTemplates.byKey.values()) {
      if (matchesTemplate(template.parts, uri)) return { server, uri, listed: template.uri };
    }
  }
  return undefined;
}

/** How a caller who reaches these servers knows an address of one of them. */
export function shownAddress(servers: readonly ServerEntry[], server: ServerEntry, uri: string): string {
  const found = findResource(servers, uri);
  return !found || found.server.id === server.id ? uri : `mcp+${server.slug}:${uri}`;
}

/** By what a list shows: an address or a template, not something that matches one. */
export function findListed(servers: readonly ServerEntry[], asked: string): FoundResource | undefined {
  const { among, uri } = meant(servers, asked);
  const server = among.find(({ resources, resourceTemplates }) => {
    return resourceTemplates.byKey.has(uri) || resources.byKey.has(uri);
  });
  return server && { server, uri, listed: uri };
}

function meant(servers: readonly ServerEntry[], asked: string) {
  const [, slug, uri] = FOREIGN.exec(asked) ?? [];
  if (uri === undefined) return { among: servers, uri: asked };
  return { among: servers.filter((server) => server.slug === slug), uri };
}

export type ResourceKind = "resources" | "resourceTemplates";

const ADDRESS_MEMBER = { resources: "uri", resourceTemplates: "uriTemplate" } as const;

/** What each server adds to the list, in order. */
export function resourcePortions(servers: readonly ServerEntry[], kind: ResourceKind) {
  const taken = new Set<string>();
  const portions = [];
  for (const server of servers) {
    const listing: Listing<ResourceEntry | TemplateEntry> = server[kind];
    if (listing.count === 0) continue;
    const clashes = new Set<string>();
    for (const uri of listing.byKey.keys()) {
      if (taken.has(uri)) clashes.add(uri);
      else taken.add(uri);
    }
    const fragment = () => (clashes.size === 0 ? listing.fragment : renamed(server, kind, clashes));
    portions.push({ slug: server.slug, count: listing.count, fragment });
  }
  return portions;
}

/** The server's fragment with other addresses; everything behind them is copied. */
function renamed(server: ServerEntry, kind: ResourceKind, clashes: ReadonlySet<string>): Buffer {
  const { byKey, fragment }: Listing<ResourceEntry | TemplateEntry> = server[kind];
  const parts: Buffer[] = [];
  for (const { uri, start, rest, end } of byKey.values()) {
    if (parts.length > 0) parts.push(Buffer.from(","));
    if (clashes.has(uri)) {
      const address = JSON.stringify(`mcp+${server.slug}:${uri}`);
      parts.push(Buffer.from(`{"${ADDRESS_MEMBER[kind]}":${address}`), fragment.subarray(rest, end));
    } else parts.push(fragment.subarray(start, end));
  }
  return Buffer.concat(parts);
}
