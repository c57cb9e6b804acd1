import { buildListing, type ListedItem } from "#gateway/snapshot/listing";
import type { ResourceItem, ServerEntry, TemplateItem } from "#gateway/snapshot/shape";
import { parseTemplate } from "#lib/uri-template";
import type { PublishedItem, PublishedServer } from "./published-records.ts";

/** D37: resources keep the upstream's URIs. */
export function compileResources(
  items: readonly PublishedItem[],
): Pick<ServerEntry, "resources" | "resourceTemplates"> {
  const resources = items
    .filter((item) => item.kind === "resource")
    .map(({ upstream_name: uri, definition }) => ({ identifier: uri, definition, fields: { uri } }));
  // A template that cannot be parsed is not listed, because it could not be read either (AZ-2).
  const templates = items
    .filter((item) => item.kind === "resource_template")
    .flatMap(({ upstream_name: uri, definition }) => {
      const parts = parseTemplate(uri);
      return parts ? [{ identifier: uri, definition, fields: { uri, parts } }] : [];
    });
  return {
    resources: buildListing<Omit<ResourceItem, keyof ListedItem>>("resources", resources, keyOf),
    resourceTemplates: buildListing<Omit<TemplateItem, keyof ListedItem>>("resourceTemplates", templates, keyOf),
  };
}

/** Held resources cannot be read under their URI either. */
export function compileHeld(items: PublishedServer["heldItems"] = []): Pick<ServerEntry, "held"> {
  const named = (kind: string) => items.filter((item) => item.kind === kind).map((item) => item.upstream_name);
  const uris = new Set(named("resource"));
  const templates = named("resource_template")
    .map(parseTemplate)
    .filter((parts) => parts !== undefined);
  return uris.size + templates.length === 0 ? {} : { held: { uris, templates } };
}

function keyOf({ uri }: { readonly uri: string }): readonly string[] {
  return [uri];
}
