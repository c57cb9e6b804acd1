import { matchesTemplate } from "#lib/uri-template";
import { type Listing, type Portion, relist } from "./listing.ts";
import type { ResourceItem, ServerEntry, Source } from "./shape.ts";

/**
 * D37: resources keep the upstream's URIs. When two sources in a view have the same one, the first source keeps it and
 * the others list it as `mcp+<key>:<uri>`, a form that is accepted for every source at any time.
 */
const QUALIFIED = /^mcp\+([a-z0-9-]+):(.*)$/s;

/** A resource of a server. */
export interface ServerResource {
  readonly server: ServerEntry;
  readonly uri: string;
  readonly listed: string;
}

export interface FoundResource {
  readonly source: Source;
  /** The URI for the upstream. */
  readonly uri: string;
  /** The URI or template in the source's lists that matched. */
  readonly listed: string;
}

/** Whether the view has this resource or template of a source. */
type Exposes = (source: Source, uri: string) => boolean;

const exposesAll: Exposes = () => true;

/** Exact URIs win over templates; among equals, the first source wins. */
export function findResource(
  sources: readonly Source[],
  requested: string,
  exposes = exposesAll,
): FoundResource | undefined {
  const { candidates, uri } = unqualified(sources, requested);
  for (const source of candidates) {
    if (source.resources.byKey.has(uri) && exposes(source, uri)) return { source, uri, listed: uri };
  }
  for (const source of candidates) {
    for (const template of source.resourceTemplates.byKey.values()) {
      if (matchesTemplate(template.parts, uri) && exposes(source, template.uri))
        return { source, uri, listed: template.uri };
    }
  }
  return undefined;
}

/** The URI under which a caller who reaches these sources sees a resource of one of them. */
export function listedUri(sources: readonly Source[], source: Source, uri: string): string {
  const found = findResource(sources, uri);
  return !found || found.source.key === source.key ? uri : qualified(source.key, uri);
}

/** Finds a URI or a template as it appears in a list; unlike `findResource`, it does not match URIs against templates. */
export function findListed(
  sources: readonly Source[],
  requested: string,
  exposes = exposesAll,
): FoundResource | undefined {
  const { candidates, uri } = unqualified(sources, requested);
  const source = candidates.find((candidate) => {
    const { resources, resourceTemplates } = candidate;
    return (resourceTemplates.byKey.has(uri) || resources.byKey.has(uri)) && exposes(candidate, uri);
  });
  return source && { source, uri, listed: uri };
}

/** The source that a qualified URI names; undefined for other URIs and for sources out of reach. */
export function addressedSource(sources: readonly Source[], requested: string) {
  const { candidates, uri } = unqualified(sources, requested);
  return { source: candidates === sources ? undefined : candidates[0], uri };
}

function unqualified(sources: readonly Source[], requested: string) {
  const [, key, uri] = QUALIFIED.exec(requested) ?? [];
  if (uri === undefined) return { candidates: sources, uri: requested };
  return { candidates: sources.filter((source) => source.key === key), uri };
}

function qualified(key: string, uri: string): string {
  return `mcp+${key}:${uri}`;
}

export interface ListedResources {
  readonly key: string;
  readonly listing: Listing;
}

/** Each URI that an earlier source lists too is qualified. */
export function resourcePortions(
  kind: "resources" | "resourceTemplates",
  sources: readonly ListedResources[],
): Portion[] {
  const taken = new Set<string>();
  return sources.map(({ key, listing }) => {
    const resources = listing as Listing<ResourceItem>; // sources list only resource items under these two kinds
    const clashes = new Set<string>();
    for (const { uri } of resources.items) {
      if (taken.has(uri)) clashes.add(uri);
      else taken.add(uri);
    }
    const rename = ({ uri }: ResourceItem) => (clashes.has(uri) ? qualified(key, uri) : true);
    const fragment = () => (clashes.size === 0 ? resources : relist(kind, resources, rename)).fragment;
    return { key, count: resources.items.length, fragment };
  });
}
