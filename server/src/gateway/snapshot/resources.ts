import { SKILL_SCHEME } from "#lib/skill-uri";
import { matchesTemplate } from "#lib/uri-template";
import { type Listing, type Portion, relist } from "./listing.ts";
import type { ResourceItem, ServerEntry, Source } from "./shape.ts";
import { SkillSource } from "./skill-source.ts";

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
  prefixed = true,
): FoundResource | undefined {
  const { candidates, uri } = unqualified(sources, requested, prefixed);
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
  const isSkill = source.kind === "server" && uri.startsWith(SKILL_SCHEME);
  return !isSkill && (!found || found.source.key === source.key) ? uri : qualified(source.key, uri);
}

/** Finds a URI or a template as it appears in a list; unlike `findResource`, it does not match URIs against templates. */
export function findListed(
  sources: readonly Source[],
  requested: string,
  exposes = exposesAll,
  prefixed = true,
): FoundResource | undefined {
  const { candidates, uri } = unqualified(sources, requested, prefixed);
  const source = candidates.find((candidate) => {
    const { resources, resourceTemplates } = candidate;
    return (resourceTemplates.byKey.has(uri) || resources.byKey.has(uri)) && exposes(candidate, uri);
  });
  return source && { source, uri, listed: uri };
}

/** The source that a qualified URI names; undefined for other URIs and for sources out of reach. */
export function addressedSource(sources: readonly Source[], requested: string, prefixed = true) {
  const { candidates, uri } = unqualified(sources, requested, prefixed);
  return { source: candidates === sources ? undefined : candidates[0], uri };
}

/**
 * `skill://{server}/{path}` means `skill://{path}` of that server: at `/mcp`, the first segment of such a URI is always a
 * skill of the organization or a server. A skill of the caller hides the server with the same slug.
 */
function withoutServer(sources: readonly Source[], requested: string) {
  const rest = requested.slice(SKILL_SCHEME.length);
  const slash = rest.indexOf("/");
  const key = slash === -1 ? rest : rest.slice(0, slash);
  const [first] = sources;
  const isSkill = first instanceof SkillSource && first.skills.some(({ slug }) => slug === key);
  const candidates = isSkill ? [] : sources.filter((source) => source.kind === "server" && source.key === key);
  return { candidates, uri: `${SKILL_SCHEME}${slash === -1 ? "" : rest.slice(slash + 1)}` };
}

function unqualified(sources: readonly Source[], requested: string, prefixed: boolean) {
  if (prefixed && requested.startsWith(SKILL_SCHEME)) return withoutServer(sources, requested);
  const [, key, uri] = QUALIFIED.exec(requested) ?? [];
  if (uri === undefined) return { candidates: sources, uri: requested };
  return { candidates: sources.filter((source) => source.key === key), uri };
}

function qualified(key: string, uri: string, prefixed = true): string {
  if (prefixed && uri.startsWith(SKILL_SCHEME)) return `${SKILL_SCHEME}${key}/${uri.slice(SKILL_SCHEME.length)}`;
  return `mcp+${key}:${uri}`;
}

export interface ListedResources {
  readonly key: string;
  readonly isServer: boolean;
  readonly listing: Listing;
}

/** Each URI that an earlier source lists too is qualified, and each `skill://` URI of a server if names are prefixed. */
export function resourcePortions(
  kind: "resources" | "resourceTemplates",
  sources: readonly ListedResources[],
  prefixed = true,
): Portion[] {
  const taken = new Set<string>();
  return sources.map(({ key, isServer, listing }) => {
    const resources = listing as Listing<ResourceItem>; // sources list only resource items under these two kinds
    const clashes = new Set<string>();
    for (const { uri } of resources.items) {
      const isSkill = isServer && prefixed && uri.startsWith(SKILL_SCHEME);
      if (isSkill || taken.has(uri)) clashes.add(uri);
      else taken.add(uri);
    }
    const rename = ({ uri }: ResourceItem) => (clashes.has(uri) ? qualified(key, uri, isServer && prefixed) : true);
    const fragment = () => (clashes.size === 0 ? resources : relist(kind, resources, rename)).fragment;
    return { key, count: resources.items.length, fragment };
  });
}
