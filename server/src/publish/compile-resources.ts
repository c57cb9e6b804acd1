import { buildListing, type ListedItem } from "#gateway/snapshot/listing";
import type { ResourceItem, ServerEntry, TemplateItem } from "#gateway/snapshot/shape";
import { parseTemplate } from "#lib/uri-template";
import type { PublishedItem } from "./published-records.ts";

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

function keyOf({ uri }: { readonly uri: string }): readonly string[] {
  return [uri];
}
